import { describe, expect, it } from '@jest/globals'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { contentLookup } from './content-lookup.ts'
import { indexPages } from './page-tree.ts'
import { resolveTarget } from '@recto/repository-content'

const page = (id: string, slug: string, git: string | undefined, parent: string | null = null): PageRecord => ({
  id,
  type: 'document',
  title: id,
  parent,
  order: `a-${id}`,
  slug,
  ...(git !== undefined && { git: { path: git, oid: 'oid' } }),
  createdAt: '',
  updatedAt: '',
})
const pages = indexPages([
  page('home', 'readme', 'docs/README.md'),
  page('guide', 'guide', 'docs/guide/README.md'),
  page('setup', 'setup', 'docs/guide/set up.md', 'guide'),
  page('made', 'made-here', undefined, 'guide'),
])
const file = (id: string, path: string): FileRecord => ({
  id,
  name: path.split('/').at(-1) ?? '',
  hash: '',
  size: 1,
  contentType: 'image/png',
  git: { path, oid: 'oid' },
})
const inOrder = [file('picture', 'docs/.gitbook/assets/x y.png'), file('percent', 'docs/100%25.png')]
const content = {
  ...contentLookup(
    {
      pages,
      files: { inOrder, get: id => inOrder.find(record => record.id === id) },
      reusable: [{ id: 'note', title: 'Note', document: '', git: { path: 'docs/.gitbook/includes/note.md', oid: '' } }],
      root: 'docs',
    },
    { spaceId: 'own', publicUrl: 'https://recto.test' },
  ),
  hasAnchor: (id: string, anchor: string) => id !== 'guide' && anchor === 'größe',
}
const onSetup = { page: 'setup', file: 'docs/guide/set up.md', kind: 'link' }
const toPage = (id: string) => ({ status: 'ok', ref: { kind: 'page', page: id } })
const toUrl = (url: string, status = 'ok') => ({ status, ref: { kind: 'url', url } })
const toFile = (id: string) => ({ status: 'ok', ref: { kind: 'file', file: id } })
const broken = { status: 'broken' }

describe('resolveTarget', () => {
  it.each<[string, object]>([
    ['README.md', toPage('guide')],
    ['../README.md', toPage('home')],
    ['..', toPage('home')],
    ['../', toPage('home')],
    ['./', toPage('guide')],
    ['../guide', toPage('guide')],
    ['../guide/', toPage('guide')],
    ['/guide/README.md', toPage('guide')],
    ['/', toPage('home')],
    ['set%20up.md', toPage('setup')],
    ['set up', toPage('setup')],
    ['set up.md?plain=1', toPage('setup')],
    ['made-here.md', toPage('made')],
    ['made-here', toPage('made')],
    ['missing.md', broken],
    ['../../../outside.md', broken],
    ['../.gitbook/assets/x%20y.png', toFile('picture')],
    ['../.gitbook/assets/x y.png', toFile('picture')],
    ['../100%25.png', toFile('percent')],
    ['#größe', { status: 'ok', ref: { kind: 'anchor', anchor: 'größe' } }],
    ['#gr%C3%B6%C3%9Fe', { status: 'ok', ref: { kind: 'anchor', anchor: 'größe' } }],
    ['#other', { status: 'broken', ref: { kind: 'anchor', anchor: 'other' } }],
    ['../README.md#größe', { status: 'ok', ref: { kind: 'anchor', anchor: 'größe', page: 'home' } }],
    ['README.md#größe', { status: 'broken', ref: { kind: 'anchor', anchor: 'größe', page: 'guide' } }],
    ['missing.md#größe', broken],
    ['../README.md#', toPage('home')],
    ['https://example.com/a?b#c', toUrl('https://example.com/a?b#c')],
    ['https://example.com/?a=1&amp;b=2', toUrl('https://example.com/?a=1&b=2')],
    ['https://', broken],
    ['//example.com/a', toUrl('//example.com/a')],
    ['mailto:ada@example.com', toUrl('mailto:ada@example.com')],
    ['https://recto.test/s/own', { status: 'ok', ref: { kind: 'space', space: 'own' } }],
    ['https://recto.test/s/own/guide/setup', toPage('setup')],
    ['https://recto.test/s/own/~/pages/setup', toPage('setup')],
    ['https://recto.test/s/own/missing', broken],
    ['https://recto.test/s/own/~/files/picture', toFile('picture')],
    ['https://recto.test/s/own/~/files/gone', broken],
    [
      'https://recto.test/s/own/~/reusable/note',
      { status: 'ok', ref: { kind: 'reusable-content', reusableContent: 'note' } },
    ],
    ['https://recto.test/s/own/~/reusable/gone', broken],
    ['https://recto.test/s/own/~/changes/1', toUrl('https://recto.test/s/own/~/changes/1', 'in-app')],
    ['https://recto.test/s/other/page', toUrl('https://recto.test/s/other/page', 'in-app')],
    ['https://recto.test/c/collection', toUrl('https://recto.test/c/collection', 'in-app')],
    ['https://recto.test/u/user', toUrl('https://recto.test/u/user', 'in-app')],
    ['https://recto.test/~/openapi/a%20b', toUrl('https://recto.test/~/openapi/a%20b', 'in-app')],
    ['https://recto.test/elsewhere', toUrl('https://recto.test/elsewhere')],
    ['https://recto.test.example/s/own', toUrl('https://recto.test.example/s/own')],
    ['broken-reference', broken],
    ['/broken-reference', broken],
    ['%E0%A4%A', broken],
    ['', broken],
  ])('resolveTarget resolves the link %s', (target, expected) =>
    expect(resolveTarget({ ...onSetup, target }, content)).toEqual(expected),
  )

  it.each<[string, string, object]>([
    [
      'include',
      '../.gitbook/includes/note.md',
      { status: 'ok', ref: { kind: 'reusable-content', reusableContent: 'note' } },
    ],
    ['include', '../.gitbook/includes/none.md', broken],
    ['openapi', 'petstore', { status: 'broken', ref: { kind: 'openapi', spec: 'petstore' } }],
    ['openapi', 'https://example.com/petstore.yaml', toUrl('https://example.com/petstore.yaml')],
    ['openapi', '../.gitbook/assets/x y.png', toFile('picture')],
  ])('resolveTarget resolves the %s %s', (kind, target, expected) =>
    expect(resolveTarget({ ...onSetup, kind, target }, content)).toEqual(expected),
  )

  it.each<[string, object]>([
    ['/guide/setup', toPage('setup')],
    ['/guide/setup.md', toPage('setup')],
    ['/docs/guide/', toPage('guide')],
    ['/missing', broken],
  ])('resolveTarget resolves %s in content that is the whole repository', (target, expected) =>
    expect(resolveTarget({ ...onSetup, target }, { ...content, root: '' })).toEqual(expected),
  )

  it('resolveTarget does not check anchors without knowing those of the pages', () => {
    const { hasAnchor: _hasAnchor, ...unchecked } = content
    expect(resolveTarget({ ...onSetup, target: '#other' }, unchecked)).toMatchObject({ status: 'ok' })
  })
})
