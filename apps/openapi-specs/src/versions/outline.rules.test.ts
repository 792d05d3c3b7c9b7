import { describe, expect, it } from '@jest/globals'
import { outlineOf } from './outline.rules.ts'

const operation = (...tags: string[]) => ({ tags, summary: `About ${tags.join()}`, responses: {} })
const outline = (document: object) => outlineOf({ openapi: '3.1.0', info: { title: 'Toys' }, ...document })
const keysOf = (document: object) => outline(document).pages.map(({ key }) => key)
const shape = (document: object) =>
  outline(document).pages.map(({ key, operations }) => [key, operations.map(({ method, path }) => `${method} ${path}`)])
const hidden = { 'x-internal': true }
const ignored = { 'x-gitbook-ignore': true }

describe('the pages of a specification', () => {
  it('are its tags in the order of the document, then those that only operations name', () =>
    expect(
      shape({
        tags: [{ name: 'b' }, { name: 'a' }],
        paths: {
          '/c': { get: operation('c') },
          '/a': { post: operation('a'), get: operation('a', 'b') },
        },
      }),
    ).toEqual([
      ['tag:b', ['get /a']],
      ['tag:a', ['post /a', 'get /a']],
      ['tag:c', ['get /c']],
    ]))

  it('end with operations and webhooks that have no tags', () => {
    const { pages } = outline({
      paths: { '/a': { get: operation() } },
      webhooks: { made: { post: { summary: 'Made' } }, tagged: { post: operation('a') } },
    })
    expect(pages).toMatchObject([
      { key: 'tag:a', webhooks: [{ name: 'tagged', method: 'post' }] },
      { key: 'operations', title: 'Operations', operations: [{ path: '/a' }] },
      { key: 'webhooks', title: 'Webhooks', webhooks: [{ name: 'made', title: 'Made' }] },
    ])
  })

  it.each([
    ['its name', {}, 'a'],
    ['the summary', { summary: 'S' }, 'S'],
    ['the display name', { summary: 'S', 'x-displayName': 'D' }, 'D'],
    ['the page title', { summary: 'S', 'x-displayName': 'D', 'x-page-title': 'P' }, 'P'],
  ])('have as title of a tag %s', (_title, tag, title) =>
    expect(outline({ tags: [{ name: 'a', description: 'x', ...tag }] }).pages).toMatchObject([{ title, name: 'a' }]),
  )

  it('have description, icon and text', () => {
    const tag = { name: 'a', description: 'Text', 'x-page-description': 'Short', 'x-page-icon': 'cube' }
    expect(outline({ tags: [tag] }).pages).toMatchObject([{ description: 'Short', icon: 'cube', text: 'Text' }])
  })

  it.each<[string, object[], (string | undefined)[]]>([
    ['parent', [{ name: 'a' }, { name: 'b', parent: 'a' }], [undefined, 'tag:a']],
    ['x-parent', [{ name: 'a' }, { name: 'b', 'x-parent': 'a', parent: 'c' }], [undefined, 'tag:a']],
    ['nothing unknown', [{ name: 'a', parent: 'z' }], [undefined]],
    ['itself', [{ name: 'a', parent: 'a' }], [undefined]],
    [
      'a circle, with one outside of it',
      [
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
        { name: 'c', parent: 'a' },
      ],
      [undefined, undefined, 'tag:a'],
    ],
  ])('are below %s', (_title, tags, parents) => {
    const { pages } = outline({ tags: tags.map(tag => ({ description: 'x', ...tag })) })
    expect(pages.map(({ parent }) => parent)).toEqual(parents)
  })

  it('are none for a tag that nothing names, unless it has text or pages below it', () =>
    expect(
      keysOf({
        tags: [{ name: 'none' }, { name: 'text', description: 'x' }, { name: 'up' }, { name: 'down', parent: 'up' }],
        paths: { '/a': { get: operation('down') } },
      }),
    ).toEqual(['tag:text', 'tag:up', 'tag:down']))

  it('come from paths that refer to others', () =>
    expect(
      shape({
        paths: { '/a': { $ref: '#/components/pathItems/x~1y' } },
        components: { pathItems: { 'x/y': { get: operation('a') } } },
      }),
    ).toEqual([['tag:a', ['get /a']]]))
})

describe('what is hidden is in no page', () => {
  const get = { get: operation('a') }
  it.each<[string, object, string[]]>([
    ['an operation', { paths: { '/a': { get: { ...operation('a'), ...hidden } } } }, []],
    ['an operation that is ignored', { paths: { '/a': { get: { ...operation('a'), ...ignored } } } }, []],
    ['a path', { paths: { '/a': { ...get, ...hidden } } }, []],
    ['a tag with its operations', { tags: [{ name: 'a', ...hidden }], paths: { '/a': get } }, []],
    [
      'a tag, while another of the operation is shown',
      { tags: [{ name: 'a', ...hidden }], paths: { '/a': { get: operation('a', 'b') } } },
      ['tag:b'],
    ],
    [
      'what is below a tag',
      {
        tags: [
          { name: 'up', ...ignored },
          { name: 'a', parent: 'up' },
        ],
        paths: { '/a': get },
      },
      [],
    ],
    ['nothing that says false', { paths: { '/a': { get: { ...operation('a'), 'x-internal': false } } } }, ['tag:a']],
  ])('%s', (_title, document, keys) => expect(keysOf(document)).toEqual(keys))

  it('a schema, and one with a name that no block can name', () => {
    const schemas = { Toy: {}, Secret: hidden, 'a b': {} }
    expect(outline({ components: { schemas } }).schemas).toEqual(['Toy'])
  })
})

it('documents of strangers are read whatever they hold', () => {
  const strange = [null, 1, 'x', [], [null], { a: null }, { '': { get: null, x: [] } }, { '/a': { get: 'x' } }]
  for (const part of strange)
    for (const key of ['info', 'tags', 'paths', 'webhooks', 'components'])
      expect(outlineOf({ [key]: part })).toMatchObject({ title: expect.any(String) })
  const { pages } = outline({ tags: [{ name: `${'x'.repeat(199)}😀`, description: 'a\0b\ud800' }, { name: '  ' }] })
  expect(pages).toMatchObject([{ name: 'x'.repeat(199), text: 'ab' }])
  expect(keysOf({ paths: { '/a': { get: operation('__proto__', 'constructor') } } })).toHaveLength(2)
})

it('an outline does not multiply what a document says', () => {
  const tags = Array.from({ length: 600 }, (_, at) => `tag ${at}`)
  const operation = { get: { tags, summary: 's'.repeat(200) } }
  const paths = Object.fromEntries(tags.map((_, at) => [`/path/${at}`, operation]))
  const described = tags.map(name => ({ name, description: 'd'.repeat(50_000) }))
  const { pages } = outlineOf({ info: { title: 'Many' }, tags: described, paths })
  const operations = pages.flatMap(page => page.operations)
  const texts = pages.flatMap(({ text }) => text ?? [])
  expect(pages).toHaveLength(600)
  expect(operations.length).toBeGreaterThan(5_000)
  expect(operations.length).toBeLessThanOrEqual(10_000)
  expect(texts).toHaveLength(20)
  expect(JSON.stringify(pages).length).toBeLessThan(4_000_000)
})

it('pages are nested ten deep, and the next one begins at the top', () => {
  const tags = Array.from({ length: 20_000 }, (_, at) => ({ name: `${at}`, parent: `${at - 1}`, description: 'x' }))
  const { pages } = outlineOf({ tags: tags.toReversed() })
  const parents = new Map(pages.map(({ key, parent }) => [key, parent]))
  const depthOf = (key: string | undefined): number => (key === undefined ? -1 : depthOf(parents.get(key)) + 1)
  expect(Math.max(...pages.map(({ key }) => depthOf(key)))).toBe(10)
  expect(pages.filter(({ parent }) => parent !== undefined && !parents.has(parent))).toEqual([])
})
