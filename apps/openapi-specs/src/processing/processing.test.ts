import { query } from '@recto/database'
import { aWebServer, eventually, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aDocument } from '../test/documents.ts'
import { aSpecService, organization, type SpecsSetup } from '../test/specs-setup.ts'

const maxBytes = 12_000_000

let specs: SpecsSetup
let impatient: SpecsSetup
let web: WebServer
beforeAll(async () => {
  const limits = { SPEC_MAX_BYTES: `${maxBytes}`, SPEC_MAX_FILES: '20' }
  ;[specs, impatient, web] = await Promise.all([
    aSpecService(limits),
    aSpecService({ SPEC_TIMEOUT: '1000' }),
    aWebServer(),
  ])
})
afterAll(() => Promise.all([specs.stop(), impatient.stop(), web.stop()]))

let count = 0
const params = (specSlug: string) => ({ organizationId: organization, specSlug })

/** Creates a specification and waits until it was processed. */
async function processed(source: { url?: string; text?: string }, by = specs) {
  const slug = `spec-${(count += 1)}`
  const client = by.as('create')
  await client.createOpenAPISpec({ params: { organizationId: organization }, body: { slug, source } })
  return eventually(async () => {
    const spec = await client.getOpenAPISpecBySlug({ params: params(slug) })
    expect(spec.processingState).toBe('complete')
    return spec
  })
}
async function documentOf(source: { url?: string; text?: string }) {
  const spec = await processed(source)
  expect(spec.lastProcessedErrors).toBeUndefined()
  const { filesystem } = await specs.as('read').getLatestOpenAPISpecVersionContent({ params: params(spec.slug) })
  return filesystem
}
const failureOf = async (source: { url?: string; text?: string }, by = specs) => {
  const { lastProcessErrorCode, lastProcessedErrors = [], lastVersion } = await processed(source, by)
  expect(lastVersion).toBeUndefined()
  return [lastProcessErrorCode, lastProcessedErrors[0]?.code]
}
const json = (more: object = {}) => JSON.stringify(aDocument({ ...more }))
const withSchema = (schema: object) =>
  aDocument({ components: { schemas: { Toy: schema } } }) as Record<string, unknown>

describe('a document is read', () => {
  it('of Swagger 2.0 and OpenAPI 3.0, as one of 3.1', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'api.test',
      basePath: '/v1',
      paths: { '/toys': { get: { responses: { 200: { description: 'Toys' } } } } },
    }
    expect(await documentOf({ text: JSON.stringify(swagger) })).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      servers: [{ url: expect.stringContaining('api.test/v1') }],
    })
    expect(await documentOf({ text: json() })).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  })

  it('with the files that it refers to, also in circles', async () => {
    web.set({
      '/api/openapi.yaml': [
        'openapi: 3.1.0',
        'info: {title: Many, version: "1"}',
        'paths:',
        '  /toys:',
        "    $ref: './paths/toys.yaml'",
        'components:',
        '  schemas:',
        '    Toy:',
        "      $ref: './schemas/toy.yaml#/Toy'",
      ].join('\n'),
      '/api/paths/toys.yaml': [
        'get:',
        '  responses:',
        '    "200":',
        '      description: Toys',
        '      content:',
        '        application/json:',
        '          schema:',
        "            $ref: '../schemas/toy.yaml#/Toy'",
      ].join('\n'),
      '/api/schemas/toy.yaml': [
        'Toy:',
        '  type: object',
        '  properties:',
        "    box: {$ref: './box.yaml'}",
        'Other: {type: string}',
      ].join('\n'),
      '/api/schemas/box.yaml': [
        'type: object',
        'properties:',
        "  toys: {type: array, items: {$ref: './toy.yaml#/Toy'}}",
      ].join('\n'),
    })
    const document = await documentOf({ url: `${web.url}/api/openapi.yaml` })
    const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? []
    expect(references.length).toBeGreaterThan(3)
    expect(references.filter(reference => !reference.startsWith('"$ref":"#/'))).toEqual([])
    for (const reference of references) expect(at(document, reference.slice(9, -1))).toBeDefined()
  })

  it('that refers to itself in circles', async () => {
    const toy = { type: 'object', properties: { parent: { $ref: '#/components/schemas/Toy' } } }
    expect(await documentOf({ text: JSON.stringify(withSchema(toy)) })).toMatchObject({ info: { title: 'Toys' } })
  })

  it('of ten megabytes', async () => {
    const text = 'word '.repeat(200)
    const schemas = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`Toy${at}`, { type: 'string', description: `${at} ${text}` }]),
    )
    web.set({ '/large.json': json({ components: { schemas } }) })
    const document = await documentOf({ url: `${web.url}/large.json` })
    expect(JSON.stringify(document).length).toBeGreaterThan(10_000_000)
  })
})

/** The part of a document that a JSON pointer (RFC 6901) leads to. */
function at(document: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1)
  const names = parts.map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)
}

it('a host gets two requests at once, however many of its specifications are due', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  web.set({
    '/host/*': response => {
      waiting.push(() => response.end(json()))
      most = Math.max(most, waiting.length)
    },
  })
  const all = Array.from({ length: 6 }, (_, at) => processed({ url: `${web.url}/host/${at}.json` }))
  for (let answered = 0; answered < 6; answered += 1) {
    await eventually(() => expect(waiting).toHaveLength(Math.min(2, 6 - answered)))
    waiting.shift()?.()
  }
  expect((await Promise.all(all)).map(({ lastProcessErrorCode }) => lastProcessErrorCode)).toEqual(
    Array(6).fill(undefined),
  )
  expect(most).toBe(2)
})

it('organizations take turns, however many specifications one of them has', async () => {
  const few = await aSpecService({ SPEC_CONCURRENCY: '2' })
  const paths = Array.from({ length: 6 }, (_, at) => `/turn-${at}.json`)
  web.set(Object.fromEntries(paths.map(path => [path, json()])))
  const [first] = await Promise.all(paths.map(path => processed({ url: `${web.url}${path}` }, few)))
  const { db } = few.service
  const last = `${web.url}/turn-5.json`
  await query(db, `update openapi_specs set organization_id = 'another' where source_url = $1`, [last])
  await query(db, `update openapi_specs set due_at = now() - interval '1 hour' where source_url <> $1`, [last])
  await query(db, `update openapi_specs set due_at = now() where source_url = $1`, [last])
  web.set(Object.fromEntries(paths.map(path => [path, () => undefined])))
  await few.as('create').refreshOpenAPISpec({ params: params(first?.slug ?? '') })
  const again = () => paths.filter(path => web.requests(path) === 2)
  await eventually(() => expect(again()).toHaveLength(2)).finally(() => few.stop())
  expect(again()).toContain('/turn-5.json')
})

describe('a source is refused, with a code of its own,', () => {
  const laughs = [
    'openapi: 3.0.0',
    'a: &a ["lol","lol","lol","lol","lol","lol","lol","lol","lol"]',
    ...'bcdefghi'.split('').map((name, at) => {
      const before = 'abcdefgh'[at]
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`
    }),
  ].join('\n')

  const start = 'openapi: 3.0.3\ninfo: {title: Toys, version: "1"}\npaths: {}\n'
  const withKey = (name: string) => json({ [name]: 1 })

  it.each<[string, { text: string }, string[]]>([
    ['that is no JSON', { text: '{"openapi": ' }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    ['that is no YAML', { text: 'a: b: c: [' }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    ['that is a word', { text: 'hello' }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    ['of no version', { text: '{"info": {}}' }, ['PARSE_ERROR', 'UNSUPPORTED_VERSION']],
    ['of another version', { text: 'openapi: 4.0.0' }, ['PARSE_ERROR', 'UNSUPPORTED_VERSION']],
    ['that is not valid', { text: '{"openapi": "3.0.0", "paths": 1}' }, ['PARSE_ERROR', 'INVALID_SPECIFICATION']],
    ['that laughs a billion times', { text: laughs }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    ['of YAML that contains itself', { text: `${start}x-a: &a\n  a: *a\n` }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    ['with NUL in a name', { text: withKey('a\0b') }, ['PARSE_ERROR', 'INVALID_SPECIFICATION']],
    ['with half a character in a name', { text: withKey('a\ud800') }, ['PARSE_ERROR', 'INVALID_SPECIFICATION']],
    ['with a name that is cut', { text: withKey('😀'.repeat(1_000)) }, ['PARSE_ERROR', 'INVALID_SPECIFICATION']],
    ['that is nested without end', { text: `${'['.repeat(900_000)}` }, ['PARSE_ERROR', 'INVALID_SYNTAX']],
    [
      'that refers to a file of the machine',
      { text: JSON.stringify(withSchema({ $ref: 'file:///etc/passwd' })) },
      ['PARSE_ERROR', 'REFUSED_REFERENCE'],
    ],
    [
      'that refers to what is beside a text',
      { text: JSON.stringify(withSchema({ $ref: './toy.yaml' })) },
      ['PARSE_ERROR', 'REFUSED_REFERENCE'],
    ],
    [
      'that refers to a private address',
      { text: JSON.stringify(withSchema({ $ref: 'http://169.254.169.254/latest/meta-data' })) },
      ['FETCH_ERROR', 'REFUSED_ADDRESS'],
    ],
  ])('%s', async (_what, source, codes) => {
    expect(await failureOf(source)).toEqual(codes)
  })

  it('at a private address, at none, and of a server that refuses', async () => {
    expect(await failureOf({ url: 'http://10.0.0.1/openapi.json' })).toEqual(['FETCH_ERROR', 'REFUSED_ADDRESS'])
    expect(await failureOf({ url: `${web.url}/nothing` })).toEqual(['FETCH_ERROR', 'STATUS'])
    expect(await failureOf({ url: 'http://127.0.0.1:1/openapi.json' })).toEqual(['FETCH_ERROR', 'UNREACHABLE'])
  })

  it('that is too large, never ends, drips slowly or says nothing', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a')
    web.set({
      '/endless': response => {
        response.on('error', () => {})
        const more = () => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      '/drip': response => {
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
      '/silent': () => {},
    })
    expect(await failureOf({ url: `${web.url}/endless` })).toEqual(['FETCH_ERROR', 'TOO_LARGE'])
    expect(await failureOf({ url: `${web.url}/drip` }, impatient)).toEqual(['FETCH_TIMEOUT', 'TIMEOUT'])
    expect(await failureOf({ url: `${web.url}/silent` }, impatient)).toEqual(['FETCH_TIMEOUT', 'TIMEOUT'])
  })

  it('of more files than the limit', async () => {
    const references = Array.from({ length: 30 }, (_, at) => [`T${at}`, { $ref: `${web.url}/part-${at}.json` }])
    web.set({ '/part-*': '{}' })
    const schemas = Object.fromEntries(references) as object
    expect(await failureOf({ text: json({ components: { schemas } }) })).toEqual(['FETCH_ERROR', 'TOO_LARGE'])
  })

  it('while others are processed as before', async () => {
    expect(await documentOf({ text: json() })).toMatchObject({ info: { title: 'Toys' } })
    expect(await specs.service.ready()).toBe(true)
  })
})
