import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { BlockType, DocumentBlock } from '@recto/markdown/schema'
import { renderBody } from '../render-body.tsx'
import { faultsOf, textOfHtml } from '../test/html.ts'
import { emptyInput } from '../test/render.ts'
import { toys } from '../test/toys.ts'

/** Writes blocks of a specification. */
function renderSpecification(specification: unknown, ...blocks: [BlockType, Record<string, unknown>][]) {
  const nodes = blocks.map(([type, data], at): DocumentBlock => ({
    object: 'block',
    type,
    data: { ref: { kind: 'openapi', spec: 'toys' }, ...data },
    meta: { id: `block-${at}` },
  }))
  const document = { object: 'document' as const, data: { schemaVersion: 8 }, nodes }
  return renderBody({ ...emptyInput, document, specifications: { toys: JSON.stringify(specification) } })
}

function words(html: string): string {
  return textOfHtml(html).replace(/\s+/g, ' ')
}

const get = { path: '/toys/{id}', method: 'get' }
const put = { path: '/toys/{id}', method: 'PUT' }

const cases: [string, [BlockType, Record<string, unknown>], string[]][] = [
  [
    'an operation',
    ['openapi-operation', get],
    ['Get a toy', 'GET /toys/{id}', 'Deprecated', 'Reads one toy.', 'https://api.example.com/v1 Live'],
  ],
  [
    'its parameters',
    ['openapi-operation', get],
    [
      'Path parameters id string required Of the toy',
      'Query parameters fields array of string required Possible values: a, b',
      'Headers X-Trace string nullable',
    ],
  ],
  [
    'its replies',
    ['openapi-operation', get],
    ['200 The toy application/json', '404 There is none text/plain Example Copy Code: Example gone'],
  ],
  ['its authorization', ['openapi-operation', get], ['Authorization token http bearer A token']],
  [
    'the example of a reply',
    ['openapi-operation', get],
    ['"id": "123e4567-e89b-12d3-a456-426614174000"', '"name": "ball"', '"size": 1.5'],
  ],
  [
    'a schema',
    ['openapi-operation', put],
    [
      'id string (uuid) required read only',
      'name string required length ≥ 1 length ≤ 80 Default: ball Pattern: ^[a-z]+$',
      'kind Round or string',
      'parts array of Toy items ≤ 3',
      'old boolean nullable Deprecated',
      'Other properties integer ≥ 2',
    ],
  ],
  [
    'choices',
    ['openapi-operation', put],
    ['One of Round Show child attributes size number', 'string Possible values: flat, long'],
  ],
  [
    'a body',
    ['openapi-operation', put],
    ['Request body (required) What it becomes application/json', '"secret": "text"'],
  ],
  [
    'a command',
    ['openapi-operation', put],
    [
      "curl --request PUT \\ --url 'https://api.example.com/v1/toys/{id}' \\ --header 'X-Key: YOUR_API_KEY' \\ --header 'Content-Type: application/json'",
    ],
  ],
  ['a request', ['openapi-operation', put], ['PUT /v1/toys/{id} HTTP/1.1 Host: api.example.com']],
  [
    'JavaScript',
    ['openapi-operation', put],
    ['await fetch("https://api.example.com/v1/toys/{id}", {', 'body: JSON.stringify({'],
  ],
  [
    'Python',
    ['openapi-operation', put],
    ['requests.request( "PUT", "https://api.example.com/v1/toys/{id}"', '"old": True,'],
  ],
  [
    'a form',
    ['openapi-operation', { path: '/upload', method: 'post' }],
    ["--form 'name=it'\\''s'", 'form.append("name", "it\'s")'],
  ],
  [
    'a webhook',
    ['openapi-webhook', { name: 'toy-made', method: 'post' }],
    ['A toy was made', 'Webhook toy-made', 'Request body (optional)'],
  ],
  [
    'schemas',
    ['openapi-schemas', { schemas: ['Toy', 'Round', 'None'] }],
    ['Toy', 'Something to play with', 'Round', 'size number'],
  ],
  [
    'schemas in a group',
    ['openapi-schemas', { schemas: ['Toy'], grouped: true }],
    ['Schemas', 'Toy', 'Something to play with'],
  ],
  [
    'what is not there',
    ['openapi-operation', { path: '/none', method: 'get' }],
    ['GET /none', 'This part of the API is not available.'],
  ],
]

describe('a specification', () => {
  it.each(cases)('%s', async (_title, block, expected) => {
    const { html } = await renderSpecification(toys, block)
    for (const text of expected) expect(words(html)).toContain(text)
    expect(html).not.toContain('<script')
  })

  it('is in the outline and valid', async () => {
    const { html, outline } = await renderSpecification(
      toys,
      ['openapi-operation', get],
      ['openapi-operation', put],
      ['openapi-webhook', { name: 'toy-made', method: 'post' }],
      ['openapi-schemas', { schemas: ['Toy', 'Loop'], grouped: true }],
    )
    expect(outline.map(({ id, title }) => [id, title])).toEqual([
      ['block-0', 'Get a toy'],
      ['block-1', 'putToy'],
      ['block-2', 'A toy was made'],
      ['block-3', 'Schemas'],
    ])
    expect(faultsOf(html)).toEqual([])
  })

  it('leaves out of examples what only the other side has', async () => {
    const { html } = await renderSpecification(toys, ['openapi-webhook', { name: 'toy-made', method: 'post' }])
    expect(words(html)).toContain('"secret"')
    expect(words(html)).not.toContain('"id": "123')
  })

  it('of ours is shown whole', async () => {
    const own = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../../../../openapi.json'), 'utf8'),
    ) as typeof toys
    const operations = Object.entries(own.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => ({ path, method })),
    )
    expect(operations.length).toBeGreaterThan(100)
    const every = operations.filter((_, at) => at % 20 === 0)
    for (const data of every) {
      const { html, outline } = await renderSpecification(own, ['openapi-operation', data])
      expect(outline).toHaveLength(1)
      expect(faultsOf(html)).toEqual([])
    }
  })
})

function wide(depth: number): unknown {
  if (depth === 0) return { type: 'string' }
  const inner = wide(depth - 1)
  return { type: 'object', properties: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}`, inner])) }
}

function deep(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let at = 0; at < depth; at += 1) schema = { type: 'array', items: schema }
  return schema
}

function withSchema(schema: unknown, schemas: Record<string, unknown> = {}) {
  const operation = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
  }
  return { paths: { '/a': { post: operation } }, components: { schemas } }
}

const self = { $ref: '#/components/schemas/A' }
const refs = ['A', 'B', 'C', 'D', 'E'].map(name => ({ $ref: `#/components/schemas/${name}` }))
const tangle = Object.fromEntries(
  ['A', 'B', 'C', 'D', 'E'].map(name => [
    name,
    {
      type: 'object',
      allOf: refs,
      oneOf: refs,
      anyOf: refs,
      items: self,
      additionalProperties: self,
      properties: Object.fromEntries(refs.map((ref, at) => [`p${at}`, ref])),
    },
  ]),
)

describe('a hostile specification ends', () => {
  it.each([
    ['of itself', withSchema(self, { A: self })],
    ['of a circle', withSchema(self, { A: { $ref: '#/components/schemas/B' }, B: self })],
    ['of a tangle', withSchema(self, tangle)],
    ['a wide one', withSchema(wide(5))],
    ['a deep one', withSchema(deep(1_000))],
    ['a deep example', withSchema({ example: deep(1_000) })],
    ['a wide example', withSchema({ example: wide(5) })],
    ['many values', withSchema({ enum: Array.from({ length: 100_000 }, (_, at) => at) })],
    ['long texts', withSchema({ description: '*a '.repeat(300_000), type: 'string', default: 'x'.repeat(1_000_000) })],
    ['a reference to all of it', withSchema({ $ref: '#/' })],
    ['a reference to elsewhere', withSchema({ $ref: 'https://example.com/a.json' })],
    [
      'names of ours',
      withSchema(
        { properties: { __proto__: { type: 'toString' }, constructor: self } },
        { A: { type: 'constructor' } },
      ),
    ],
    [
      'nothing of a specification',
      {
        paths: { '/a': { post: { parameters: 1, responses: [1, null], requestBody: 'x', servers: {}, security: 3 } } },
      },
    ],
  ])('%s', async (_title, specification) => {
    const { html } = await renderSpecification(specification, ['openapi-operation', { path: '/a', method: 'post' }])
    expect(html).toContain('class="openapi"')
    expect(html.length).toBeLessThan(12_000_000)
  })
})
