import { describe, expect, it } from '@jest/globals'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import { asEdits } from './edited-records.ts'

const now = '2026-02-02T00:00:00.000Z'
const past = '2026-01-01T00:00:00.000Z'
const times = { createdAt: past, updatedAt: past }
const git = { path: 'a.md', oid: 'new' }
const page: PageRecord = { id: 'p', type: 'document', title: 'A', parent: null, order: 'a0', ...times }
const file: FileRecord = { id: 'f', name: 'a.png', hash: 'x', size: 1, contentType: 'image/png' }
const reusable: ReusableRecord = { id: 'r', title: 'Note', document: 'x' }

describe('A page of a push', () => {
  it.each<[string, Partial<PageRecord>, Partial<PageRecord> | undefined, Partial<PageRecord>]>([
    [
      'that is new has a path only',
      { document: 'x', git },
      undefined,
      { document: 'x', file: 'a.md', createdAt: now, updatedAt: now },
    ],
    [
      'that is the same keeps its git object',
      { document: 'x', git },
      { document: 'x', git: { path: 'a.md', oid: 'old' } },
      { document: 'x', git: { path: 'a.md', oid: 'old' }, ...times },
    ],
    [
      'that is the same, and was edited, keeps its path',
      { document: 'x', git },
      { document: 'x', file: 'a.md' },
      { document: 'x', file: 'a.md', ...times },
    ],
    [
      'with another text loses its git object',
      { document: 'y', git },
      { document: 'x', git: { path: 'a.md', oid: 'old' } },
      { document: 'y', file: 'a.md', createdAt: past, updatedAt: now },
    ],
    [
      'with another path loses its git object',
      { document: 'x', git },
      { document: 'x', git: { path: 'b.md', oid: 'old' } },
      { document: 'x', file: 'a.md', createdAt: past, updatedAt: now },
    ],
    ['without file has no path', {}, {}, times],
    [
      'with another title is updated',
      { title: 'B', document: 'x', git },
      { document: 'x', file: 'a.md' },
      { title: 'B', document: 'x', file: 'a.md', createdAt: past, updatedAt: now },
    ],
  ])('A page %s', (_which, pushed, before, expected) => {
    const pages = new Map(before ? [['p', { ...page, ...before }]] : [])
    const records = { pages: [{ ...page, createdAt: now, updatedAt: now, ...pushed }], files: [], reusable: [] }
    const edits = asEdits(records, { pages, files: new Map(), reusable: new Map() }, now)
    expect(edits.pages).toEqual([{ ...page, ...expected }])
  })
})

it.each<[string, Partial<FileRecord>, Partial<FileRecord> | undefined, Partial<FileRecord>]>([
  ['is new', { git }, undefined, { file: 'a.md' }],
  ['stays', { git }, { git: { path: 'a.md', oid: 'old' } }, { git: { path: 'a.md', oid: 'old' } }],
  ['was uploaded and stays', { git: { path: '.gitbook/assets/a.png', oid: 'new' } }, {}, {}],
  ['has other bytes', { git, hash: 'y' }, { git: { path: 'a.md', oid: 'old' } }, { hash: 'y', file: 'a.md' }],
])('A file of a push that %s is as an edit makes it', (_which, pushed, before, expected) => {
  const files = new Map(before ? [['f', { ...file, ...before }]] : [])
  const records = { pages: [], files: [{ ...file, ...pushed }], reusable: [] }
  const edits = asEdits(records, { pages: new Map(), files, reusable: new Map() }, now)
  expect(edits.files).toEqual([{ ...file, ...expected }])
})

it('A reusable content of a push keeps its git object where its bytes stay, and else its path', () => {
  const path = '.gitbook/includes/Note.md'
  const before = new Map([['r', { ...reusable, git: { path, oid: 'old' } }]])
  const editsOf = (document: string) =>
    asEdits(
      { pages: [], files: [], reusable: [{ ...reusable, document, git: { path, oid: 'new' } }] },
      { pages: new Map(), files: new Map(), reusable: before },
      now,
    ).reusable
  expect(editsOf('x')).toEqual([...before.values()])
  expect(editsOf('y')).toEqual([{ ...reusable, document: 'y', file: path }])
})
