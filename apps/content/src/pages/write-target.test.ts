import { describe, expect, it } from '@jest/globals'
import type { DocumentRef } from '@recto/markdown/schema'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { writeTarget, type TargetContext } from './write-target.ts'

const page = (id: string, more: Partial<PageRecord>) =>
  ({ id, type: 'document', title: id, parent: null, order: 'a0', createdAt: '', updatedAt: '', ...more }) as PageRecord
const pages = new Map([
  ['setup', page('setup', { file: 'guide/setup.md' })],
  ['imported', page('imported', { git: { path: 'docs/a (1) 50%.md', oid: '' } })],
  ['group', page('group', { type: 'group' })],
])
const file = { id: 'f', name: 'x y.png', hash: '', size: 1, contentType: 'image/png' } as FileRecord
const context: TargetContext = {
  file: 'guide/start.md',
  spaceId: 'here',
  publicUrl: 'https://recto.example',
  page: id => pages.get(id),
  fileById: id => (id === 'f' ? file : undefined),
  reusable: id =>
    id === 'r' ? { id, title: 'R', document: '', git: { path: '.gitbook/includes/r.md', oid: '' } } : undefined,
}

describe('a reference is written', () => {
  it.each<[DocumentRef, string]>([
    [{ kind: 'url', url: 'https://a.b/?c=1&d' }, 'https://a.b/?c=1&d'],
    [{ kind: 'page', page: 'setup' }, 'setup.md'],
    [{ kind: 'page', page: 'setup', space: 'here' }, 'setup.md'],
    [{ kind: 'page', page: 'imported' }, '../docs/a%20%281%29%2050%25.md'],
    [{ kind: 'page', page: 'group' }, 'https://recto.example/s/here/~/pages/group'],
    [{ kind: 'page', page: 'gone' }, 'https://recto.example/s/here/~/pages/gone'],
    [{ kind: 'page', page: 'setup', space: 'there' }, 'https://recto.example/s/there/~/pages/setup'],
    [{ kind: 'anchor', anchor: 'a b' }, '#a%20b'],
    [{ kind: 'anchor', anchor: 'top', page: 'setup' }, 'setup.md#top'],
    [{ kind: 'file', file: 'f' }, '../.gitbook/assets/x%20y.png'],
    [{ kind: 'file', file: 'gone' }, 'https://recto.example/s/here/~/files/gone'],
    [{ kind: 'file', file: 'f', space: 'there' }, 'https://recto.example/s/there/~/files/f'],
    [{ kind: 'url', url: 'https://a.b/?c&amp;d' }, 'https://a.b/?c&amp;amp;d'],
    [{ kind: 'space', space: 'there' }, 'https://recto.example/s/there'],
    [{ kind: 'collection', collection: 'c' }, 'https://recto.example/c/c'],
    [{ kind: 'user', user: 'u' }, 'https://recto.example/u/u'],
    [{ kind: 'openapi', spec: 'pets' }, 'https://recto.example/~/openapi/pets'],
    [{ kind: 'reusable-content', reusableContent: 'r' }, '../.gitbook/includes/r.md'],
    [{ kind: 'reusable-content', reusableContent: 'r', space: 'there' }, 'https://recto.example/s/there/~/reusable/r'],
    [{ kind: 'reusable-content', reusableContent: 'gone' }, 'https://recto.example/s/here/~/reusable/gone'],
  ])('The reference %j is written as %s', (ref, target) => expect(writeTarget(ref, context)).toBe(target))

  it('A reference is written as the name of a specification in the tags of specifications', () =>
    expect(writeTarget({ kind: 'openapi', spec: 'pets' }, context, 'openapi')).toBe('pets'))
})
