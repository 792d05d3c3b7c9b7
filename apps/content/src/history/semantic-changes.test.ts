import { describe, expect, it } from '@jest/globals'
import type { SpaceTag } from '@recto/markdown'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { presentChanges } from './present-changes.ts'
import { changesOf, type Content, presentation, presentDifference } from './test/content-changes.ts'

const time = '2026-01-01T00:00:00.000Z'
function page(id: string, more: Partial<PageRecord> = {}): PageRecord {
  return {
    id,
    type: 'document',
    title: `T ${id}`,
    parent: null,
    order: id,
    slug: id,
    createdAt: time,
    updatedAt: time,
    ...more,
  }
}

const pageRef = (id: string, path = id) => ({ id, type: 'document', title: `T ${id}`, path })
const pageEdited = (id: string, attributes: object) => ({ type: 'page_edited', page: pageRef(id), attributes })
const link = (href: string) => {
  const { slug: _slug, ...rest } = page('l', { type: 'link', href })
  return rest
}

describe('a page', () => {
  it.each<[string, PageRecord[], PageRecord[], object[]]>([
    ['that is new is created', [], [page('a')], [{ type: 'page_created', page: pageRef('a') }]],
    ['that is gone is deleted', [page('a')], [], [{ type: 'page_deleted', page: pageRef('a') }]],
    [
      'with another title and text is edited',
      [page('a', { title: 'Old', document: 'one' })],
      [page('a', { document: 'two' })],
      [pageEdited('a', { title: { before: 'Old', after: 'T a' }, document: { before: 'one', after: 'two' } })],
    ],
    [
      'that gains and loses fields has one side only',
      [page('a', { description: 'About' })],
      [page('a', { emoji: '1f600', hidden: true, condition: 'visitor.claims.beta' })],
      [
        pageEdited('a', {
          description: { before: 'About' },
          emoji: { after: '1f600' },
          hidden: { after: true },
          condition: { after: 'visitor.claims.beta' },
        }),
      ],
    ],
    [
      'shows its layout as a whole',
      [page('a')],
      [page('a', { layout: { width: 'wide' } })],
      [
        pageEdited('a', {
          layout: {
            before: expect.objectContaining({ width: 'default', title: true }),
            after: expect.objectContaining({ width: 'wide', title: true }),
          },
        }),
      ],
    ],
    ['with a layout that says what it was is not edited', [page('a')], [page('a', { layout: { outline: true } })], []],
    [
      'that only has another time and another path in its repository is not edited',
      [page('a', { git: { path: 'a.md', oid: '1' } })],
      [page('a', { git: { path: 'b.md', oid: '2' }, updatedAt: '2026-02-02T00:00:00.000Z' })],
      [],
    ],
    [
      'that is a link changes its target',
      [link('https://old.example')],
      [link('https://new.example')],
      [
        {
          type: 'page_edited',
          page: { id: 'l', type: 'link', title: 'T l' },
          attributes: {
            target: {
              before: { kind: 'url', url: 'https://old.example' },
              after: { kind: 'url', url: 'https://new.example' },
            },
          },
        },
      ],
    ],
    [
      'that becomes a group is edited',
      [page('a')],
      [page('a', { type: 'group' })],
      [
        {
          type: 'page_edited',
          page: { ...pageRef('a'), type: 'group' },
          attributes: { type: { before: 'document', after: 'group' }, layout: { before: expect.anything() } },
        },
      ],
    ],
  ])('A page %s', (_name, before, after, changes) => {
    expect(presentDifference({ pages: before }, { pages: after })).toEqual(changes)
  })
})

describe('the place of a page', () => {
  const a = page('a')
  const b = page('b')
  const c = page('c')
  const pageMoved = (id: string, parent = {}) => ({ type: 'page_moved', page: pageRef(id), parent })
  it.each<[string, PageRecord[], PageRecord[], object[]]>([
    [
      'is below another page',
      [a, b],
      [a, page('b', { parent: 'a' })],
      [{ type: 'page_moved', page: pageRef('b', 'a/b'), parent: { after: pageRef('a') } }],
    ],
    [
      'is at the root',
      [a, page('b', { parent: 'a' })],
      [a, b],
      [{ type: 'page_moved', page: pageRef('b'), parent: { before: pageRef('a') } }],
    ],
    ['is among other siblings', [a, b, c], [page('a', { order: 'd' }), b, c], [pageMoved('a')]],
    [
      'among siblings names the parent on both sides',
      [a, page('b', { parent: 'a' }), page('c', { parent: 'a' })],
      [a, page('b', { parent: 'a', order: 'd' }), page('c', { parent: 'a' })],
      [{ type: 'page_moved', page: pageRef('b', 'a/b'), parent: { before: pageRef('a'), after: pageRef('a') } }],
    ],
    [
      'is the same under new keys',
      [a, b, c],
      [page('a', { order: 'x' }), page('b', { order: 'y' }), page('c', { order: 'z' })],
      [],
    ],
    [
      'is the same when a sibling comes before it',
      [b, c],
      [a, page('b', { order: 'b1' }), c],
      [{ type: 'page_created', page: pageRef('a') }],
    ],
    [
      'and its title change together',
      [a, page('b', { title: 'Old' })],
      [a, page('b', { parent: 'a' })],
      [
        { type: 'page_moved', page: pageRef('b', 'a/b'), parent: { after: pageRef('a') } },
        { type: 'page_edited', page: pageRef('b', 'a/b'), attributes: { title: { before: 'Old', after: 'T b' } } },
      ],
    ],
    [
      'decides the order of changes; deleted pages are last',
      [page('0'), page('x', { parent: '0' }), b, c],
      [a, page('b', { title: 'New' }), c, page('y', { parent: 'b' })],
      [
        { type: 'page_created', page: pageRef('a') },
        {
          type: 'page_edited',
          page: { ...pageRef('b'), title: 'New' },
          attributes: { title: { before: 'T b', after: 'New' } },
        },
        { type: 'page_created', page: pageRef('y', 'b/y') },
        { type: 'page_deleted', page: pageRef('0') },
        { type: 'page_deleted', page: pageRef('x', '0/x') },
      ],
    ],
  ])('The place of a page %s', (_name, before, after, changes) => {
    expect(presentDifference({ pages: before }, { pages: after })).toEqual(changes)
  })
})

const file = (id: string, more: Partial<FileRecord> = {}): FileRecord => {
  return { id, name: `${id}.png`, hash: 'a'.repeat(64), size: 3, contentType: 'image/png', ...more }
}
const fileRef = (id: string, more = {}) => ({
  id,
  name: `${id}.png`,
  contentType: 'image/png',
  downloadURL: expect.stringContaining(`/${id}.png`),
  ...more,
})

const tag = (slug: string, more: Partial<SpaceTag> = {}): SpaceTag => ({ slug, label: slug, color: 'default', ...more })

describe('files, reusable contents, variables and tags', () => {
  it.each<[string, Content, Content, object[]]>([
    [
      'are created and deleted, in their order',
      { files: [file('b')] },
      { files: [file('c'), file('a')] },
      [
        { type: 'file_created', file: fileRef('a') },
        { type: 'file_deleted', file: fileRef('b') },
        { type: 'file_created', file: fileRef('c') },
      ],
    ],
    [
      'are edited: a file has other bytes',
      { files: [file('a')] },
      { files: [file('a', { hash: 'b'.repeat(64), size: 4 })] },
      [
        {
          type: 'file_edited',
          file: fileRef('a'),
          attributes: {
            size: { before: 3, after: 4 },
            downloadURL: { before: expect.stringContaining('/a.png'), after: expect.stringContaining('/a.png') },
          },
        },
      ],
    ],
    [
      'are edited: a file has another name, and its bytes stay',
      { files: [file('a', { name: 'old.png' })] },
      { files: [file('a')] },
      [{ type: 'file_edited', file: fileRef('a'), attributes: { name: { before: 'old.png', after: 'a.png' } } }],
    ],
    [
      'are not edited by another path in the repository',
      { files: [file('a')] },
      { files: [file('a', { git: { path: 'x', oid: '1' } })] },
      [],
    ],
    [
      'change: a reusable content',
      {
        reusable: [
          { id: 'r', title: 'R', document: 'one' },
          { id: 'old', title: 'Old', document: 'x' },
        ],
      },
      {
        reusable: [
          { id: 'r', title: 'R', document: 'two' },
          { id: 'new', title: 'New', document: 'y' },
        ],
      },
      [
        { type: 'reusable_content_created', reusableContent: { id: 'new', title: 'New', document: 'y' } },
        { type: 'reusable_content_deleted', reusableContent: { id: 'old', title: 'Old', document: 'x' } },
        {
          type: 'reusable_content_edited',
          reusableContent: { id: 'r', title: 'R', document: 'two' },
          attributes: { document: { before: 'one', after: 'two' } },
        },
      ],
    ],
    [
      'change: variables',
      { variables: { same: 1, old: 'x', flag: false } },
      { variables: { same: 1, flag: true, added: '' } },
      [
        {
          type: 'variables_edited',
          variables: { old: { before: 'x' }, flag: { before: false, after: true }, added: { after: '' } },
        },
      ],
    ],
    [
      'change: tags',
      { tags: [tag('old'), tag('same'), tag('edited', { emoji: '🎉' })] },
      { tags: [tag('new'), tag('edited', { label: 'E', icon: 'star', color: 'red' }), tag('same')] },
      [
        { type: 'tag_created', tag: { slug: 'new', label: 'new' } },
        {
          type: 'tag_edited',
          tag: { slug: 'edited', label: 'E' },
          attributes: {
            label: { before: 'edited', after: 'E' },
            color: { before: 'default', after: 'red' },
            emoji: { before: '🎉' },
            icon: { after: 'star' },
          },
        },
        { type: 'tag_deleted', tag: { slug: 'old', label: 'old' } },
      ],
    ],
    [
      'that are the same are no changes',
      { files: [file('a')], variables: { a: 1 }, tags: [tag('a')] },
      { files: [file('a')], variables: { a: 1 }, tags: [tag('a')] },
      [],
    ],
  ])('Changes of files, reusable contents, variables and tags: %s', (_name, before, after, changes) =>
    expect(presentDifference(before, after)).toEqual(changes),
  )
})

describe('a limit', () => {
  const changes = changesOf({}, { pages: [page('a'), page('b'), page('c')] })
  it.each([
    [0, 0, 3],
    [2, 2, 1],
    [3, 3, undefined],
    [9, 3, undefined],
  ])('A limit of %d lists %d of three changes, and leaves out %s', (limit, listed, more) => {
    const reply = presentChanges(changes, { ...presentation, limit })
    expect([reply.changes.length, reply.more]).toEqual([listed, more])
  })
})
