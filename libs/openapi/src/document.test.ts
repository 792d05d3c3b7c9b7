import { operations } from '@recto/operation'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { openApiDocument } from './document.ts'

const Thing = z.object({
  id: z.string(),
  get parts() {
    return z.array(Thing)
  },
})
z.globalRegistry.add(Thing, { id: 'Thing', description: 'A thing' })

const api = {
  things: operations({
    getThing: { route: 'GET /things/{thingId}', summary: 'Get a thing', reply: Thing, errors: ['not_found'] },
    listThings: {
      route: 'GET /things',
      summary: 'List things',
      query: z.object({ limit: z.coerce.number().max(9).default(5).describe('How many'), color: z.string() }),
      reply: z.object({ items: z.array(Thing) }),
    },
    createThing: {
      route: 'POST /things',
      summary: 'Create a thing',
      body: z.object({ title: z.string() }),
      reply: Thing,
      creates: 'resource',
    },
    deleteThing: { route: 'DELETE /things/{thingId}', summary: 'Delete a thing', reply: z.undefined(), status: 204 },
    ping: { route: 'GET /ping', summary: 'Ping', reply: z.object({}), access: { public: true } },
    enter: {
      route: 'POST /enter',
      summary: 'Enter',
      reply: z.object({}),
      access: { public: true },
      errors: ['unauthenticated'],
      response: { failurePage: { title: 'Shut', messages: {}, otherwise: 'No' } },
    },
    receive: {
      route: 'POST /hook',
      summary: 'Receive',
      request: { headers: ['x-signature'], raw: true },
      reply: z.object({}),
      access: { public: true },
    },
    countThings: { summary: 'Bus only', reply: z.object({}) },
  }),
}
const document = openApiDocument(api, { title: 'Things', version: '1', description: 'All things', prefix: '/v1' })

describe('openApiDocument', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result).toMatchObject({ valid: true })
  })

  it('has an entry for every routed row and none for a row of the bus', () => {
    const ids = Object.values(document.paths).flatMap(item =>
      Object.values(item).map(entry => (entry as { operationId: string }).operationId),
    )
    expect(ids.sort()).toEqual(['createThing', 'deleteThing', 'enter', 'getThing', 'listThings', 'ping', 'receive'])
  })

  it('describes path and query parameters', () => {
    expect(document.paths['/things/{thingId}']?.get).toMatchObject({
      parameters: [{ name: 'thingId', in: 'path', required: true }],
    })
    expect(document.paths['/things']?.get).toMatchObject({
      parameters: [
        { name: 'limit', in: 'query', required: false, description: 'How many', schema: { maximum: 9, default: 5 } },
        { name: 'color', in: 'query', required: true },
      ],
    })
  })

  it('describes headers, and a body of any type', () => {
    expect(document.paths['/hook']?.post).toMatchObject({
      parameters: [{ name: 'x-signature', in: 'header', required: false, schema: { type: 'string' } }],
      requestBody: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    })
  })

  it('refers to named schemas, also to itself', () => {
    expect(document.components.schemas.Thing).toMatchObject({
      properties: { parts: { items: { $ref: '#/components/schemas/Thing' } } },
    })
  })

  it('declares success, failures of the row and failures that every row has', () => {
    const { responses } = document.paths['/things/{thingId}']?.get as { responses: Record<string, unknown> }
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '404', '429', '500', '503', '504'])
    expect(document.paths['/things/{thingId}']?.delete).toMatchObject({ responses: { 204: { description: 'Done' } } })
    expect(document.paths['/ping']?.get).toMatchObject({ security: [] })
  })

  it('declares where failures are HTML pages', () => {
    const contentOf = (entry: unknown) =>
      Object.keys((entry as { responses: Record<string, { content: object }> }).responses[400]?.content ?? {})
    expect([document.paths['/ping']?.get, document.paths['/enter']?.post].map(contentOf)).toEqual([
      ['application/json'],
      ['text/html'],
    ])
  })

  it('declares 401 for a public row only when the row does', () => {
    const statuses = [document.paths['/ping']?.get, document.paths['/enter']?.post].map(entry =>
      Object.keys((entry as { responses: object }).responses),
    )
    expect(statuses).toEqual([
      ['200', '400', '500', '503', '504'],
      ['200', '400', '401', '500', '503', '504'],
    ])
  })

  it('groups operations by the longest path of a tag', () => {
    const info = { title: 'Things', version: '1', description: 'All things', prefix: '/v1' }
    const tag = (name: string, ...paths: string[]) => ({ name, title: name, description: `All ${name}`, paths })
    const others = tag('others', '/ping', '/enter', '/hook', '/thing')
    const tags = [tag('things', '/things'), tag('thing', '/things/{thingId}'), others]
    const { tags: groups, paths } = openApiDocument(api, { ...info, tags })
    expect(groups[0]).toEqual({ name: 'things', description: 'All things', 'x-displayName': 'things' })
    expect(paths['/things']?.get).toMatchObject({ tags: ['things'] })
    expect(paths['/things/{thingId}']?.get).toMatchObject({ tags: ['thing'] })
    expect(() => openApiDocument(api, { ...info, tags: [others] })).toThrow('No tag has the path /things')
  })

  it('describes parameters and fields by their name where the row does not', () => {
    const info = { title: 'Things', version: '1', description: 'All things', prefix: '/v1' }
    const descriptions = {
      parameters: { thingId: 'Id of the thing', color: 'Its colour', limit: 'Not this' },
      fields: { id: 'Unique id', 'Thing.id': 'Id of the thing', items: 'The things' },
    }
    const { paths, components } = openApiDocument(api, { ...info, descriptions })
    expect(paths['/things/{thingId}']?.get).toMatchObject({ parameters: [{ description: 'Id of the thing' }] })
    expect(paths['/things']?.get).toMatchObject({
      parameters: [{ description: 'How many' }, { description: 'Its colour' }],
    })
    expect(paths['/things']?.get).toMatchObject({
      responses: {
        200: { content: { 'application/json': { schema: { properties: { items: { description: 'The things' } } } } } },
      },
    })
    expect(components.schemas).toMatchObject({
      Thing: { properties: { id: { description: 'Id of the thing' } } },
    })
  })

  it('ends the description of an operation with who may use it', () => {
    const info = { title: 'Things', version: '1', description: 'All things', prefix: '/v1' }
    const access = ({ route }: { route?: string }) => `May ${route}.`
    const withAccess = openApiDocument(api, { ...info, descriptions: { parameters: {}, fields: {}, access } })
    expect([document, withAccess].map(({ paths }) => paths['/things']?.post)).toMatchObject([
      { description: 'Needs the scope `write`.' },
      { description: 'May POST /things.' },
    ])
  })

  it('shows the example of an operation', () => {
    const info = { title: 'Things', version: '1', description: 'All things', prefix: '/v1' }
    const examples = { createThing: { body: { title: 'Ball' }, reply: { id: 'a' } }, getThing: { reply: { id: 'b' } } }
    const { paths } = openApiDocument(api, { ...info, examples })
    expect(paths['/things']?.post).toMatchObject({
      requestBody: { content: { 'application/json': { example: { title: 'Ball' } } } },
      responses: { 201: { content: { 'application/json': { example: { id: 'a' } } } } },
    })
    expect(paths['/things/{thingId}']?.get).toMatchObject({
      responses: { 200: { content: { 'application/json': { example: { id: 'b' } } } } },
    })
  })
})
