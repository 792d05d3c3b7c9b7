import { describe, expect, it } from '@jest/globals'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { emptyRevision } from '../revisions/revisions.rules.ts'
import { newSpace } from './spaces.rules.ts'
import { copyBases, copySpace, copyTitle } from './duplicate.rules.ts'

describe('copyTitle', () => {
  it.each([
    ['Manual', 'Manual (copy)'],
    ['', ' (copy)'],
    ['a'.repeat(50), `${'a'.repeat(43)} (copy)`],
    ['📘'.repeat(50), `${'📘'.repeat(43)} (copy)`],
  ])('copyTitle makes the title of a copy of %s', (title, expected) => expect(copyTitle(title)).toBe(expected))
})

it('A copy has content and settings, and no history', () => {
  const source = {
    ...newSpace({
      title: 'Manual',
      emoji: '1f600',
      language: 'de',
      editMode: 'locked',
      organizationId: 'o',
      parent: 'c',
      position: 'a0',
      createdBy: 'ada',
    }),
    comments: 3,
    changeRequests: 2,
    gitSync: { url: 'https://git.example', updatedAt: '2026-01-01T00:00:00Z' },
    defaultLevel: null,
    icon: 'https://recto.test/icon.png',
  }
  const revision = {
    ...emptyRevision({ id: source.revision, spaceId: source.id, createdBy: 'ada' }),
    pagesRoot: 'pages',
    parents: ['before'],
    variables: { version: '2' },
  }
  const copy = copySpace(source, {
    revision,
    createdBy: 'bob',
    parent: null,
    position: 'a5',
    defaultLevel: null,
  })
  expect(copy.space).toMatchObject({
    title: 'Manual (copy)',
    emoji: '1f600',
    icon: source.icon,
    language: 'de',
    editMode: 'locked',
    defaultLevel: null,
    parent: null,
    position: 'a5',
    createdBy: 'bob',
    comments: 0,
    changeRequests: 0,
    gitSync: null,
    revision: copy.revision.id,
  })
  expect(copy.revision).toMatchObject({
    spaceId: copy.space.id,
    pagesRoot: 'pages',
    parents: [],
    git: null,
    variables: { version: '2' },
    createdBy: 'bob',
  })
  expect(new Set([copy.space.id, copy.revision.id, source.id, revision.id]).size).toBe(4)
})

describe('copyBases', () => {
  const git = { oid: 'c1', message: 'm', ref: 'refs/heads/main', createdByService: false }
  const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }
  const synchronised = (id: string, more: Partial<RevisionRow> = {}): RevisionRow => ({
    ...emptyRevision({ id, spaceId: 'source', createdBy: 'ada' }),
    git,
    configuration,
    parents: ['before'],
    mainNumber: 4,
    ...more,
  })

  it.each<[string, RevisionRow[], string[]]>([
    ['nothing of a space without a repository', [], []],
    ['the newest of a branch', [synchronised('b', { pagesRoot: 'new' }), synchronised('a')], ['new']],
    [
      'one for each branch and root',
      [
        synchronised('a', { pagesRoot: 'main' }),
        synchronised('b', { pagesRoot: 'dev', git: { ...git, ref: 'refs/heads/dev' } }),
        synchronised('c', { pagesRoot: 'docs', configuration: { ...configuration, root: 'docs' } }),
      ],
      ['main', 'dev', 'docs'],
    ],
    ['no content without a commit', [synchronised('a', { git: null }), synchronised('b', { configuration: null })], []],
  ])('copyBases takes %s', (_title, rows, roots) => {
    const bases = copyBases(rows, { spaceId: 'copy' })
    expect(bases.map(({ pagesRoot }) => pagesRoot)).toEqual(roots)
    for (const base of bases)
      expect(base).toMatchObject({ spaceId: 'copy', parents: [], mainNumber: null, git: { oid: 'c1', isBase: true } })
    expect(bases.some(({ id }) => rows.some(row => row.id === id))).toBe(false)
  })
})
