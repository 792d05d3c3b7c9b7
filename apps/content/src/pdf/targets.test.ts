import { type DocumentBlock, toDocument } from '@recto/markdown'
import { refKey, operationKey } from '@recto/pdf'
import { expect, it } from '@jest/globals'
import { indexPages } from '../pages/page-tree.ts'
import type { FileRecord } from '../revisions/records.ts'
import { targetsOf } from './targets.ts'

const at = '2026-01-01T00:00:00.000Z'
const pages = indexPages([
  {
    id: 'p',
    title: 'A page',
    type: 'document',
    parent: null,
    order: 'a',
    slug: 'a-page',
    createdAt: at,
    updatedAt: at,
  },
])
const file = { id: 'f', name: 'dot.png', contentType: 'image/png', size: 3, hash: 'h' } as FileRecord
const files = { inOrder: [file], get: (id: string) => (id === 'f' ? file : undefined) }
const outlines = new Map([
  [
    'toys',
    {
      title: 'Toys',
      schemas: [],
      pages: [
        {
          key: 'k',
          name: 'k',
          title: 'K',
          operations: [{ method: 'get', path: '/toys', title: 'List toys' }],
          webhooks: [{ method: 'post', name: 'made', title: 'A toy was made' }],
        },
      ],
    },
  ],
])
const lookup = { page: 'p', spaceId: 's', publicUrl: 'https://docs.test', pages, files, outlines }

it('targetsOf resolves references wherever they stand', () => {
  const refs = {
    page: { kind: 'page', page: 'p' },
    anchor: { kind: 'anchor', anchor: 'end' },
    file: { kind: 'file', file: 'f' },
    gone: { kind: 'file', file: 'x' },
    url: { kind: 'url', url: 'https://example.com' },
    spec: { kind: 'openapi', spec: 'toys' },
  }
  const block: DocumentBlock = {
    object: 'block',
    type: 'hint',
    data: { ref: refs.page, records: { row: { values: { column: ['f'] }, cover: { ref: refs.anchor } } } },
    nodes: [{ object: 'inline', type: 'link', data: { ref: refs.url }, nodes: [] }],
    fragments: [
      {
        object: 'fragment',
        fragment: 'caption',
        nodes: [{ object: 'block', type: 'file', data: { ref: refs.gone, other: refs.spec } }],
      },
    ],
  }
  const document = { ...toDocument('', { reference: () => ({ kind: 'url', url: '' }) }), nodes: [block] }
  expect(targetsOf(document, lookup)).toEqual({
    [refKey(refs.page)]: { page: 'p', title: 'A page', url: 'https://docs.test/s/s/a-page' },
    [refKey(refs.anchor)]: { page: 'p', anchor: 'end', title: 'A page', url: 'https://docs.test/s/s/a-page' },
    [refKey(refs.file)]: { file: { id: 'f', name: 'dot.png', contentType: 'image/png', size: 3 } },
    [refKey(refs.gone)]: {},
    [refKey(refs.url)]: { url: 'https://example.com' },
    [refKey(refs.spec)]: { title: 'toys' },
    [operationKey('toys', 'GET', '/toys')]: { title: 'List toys' },
    [operationKey('toys', 'POST', 'made')]: { title: 'A toy was made' },
  })
})

it.each([
  [{ kind: 'page', page: 'p', space: 'other' }, 'https://docs.test/s/other/~/pages/p'],
  [{ kind: 'anchor', anchor: 'a b', page: 'q', space: 'other' }, 'https://docs.test/s/other/~/pages/q#a%20b'],
  [{ kind: 'anchor', anchor: 'a', space: 'other' }, 'https://docs.test/s/other#a'],
  [{ kind: 'space', space: 'other' }, 'https://docs.test/s/other'],
  [{ kind: 'page', page: 'p', space: 's' }, 'https://docs.test/s/s/a-page'],
])('The reference %j, of a space, leads to %s', (ref, url) => {
  const block: DocumentBlock = { object: 'block', type: 'content-ref', data: { ref } }
  const document = { ...toDocument('', { reference: () => ({ kind: 'url', url: '' }) }), nodes: [block] }
  const target = targetsOf(document, lookup)[refKey(ref)]
  expect(target).toMatchObject({ url })
  // Only a page of the space itself is in the PDF.
  expect(target?.page).toBe(ref.space === 's' ? 'p' : undefined)
})
