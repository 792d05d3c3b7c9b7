import {
  createsSomething,
  statusOf,
  failureStatus,
  routeOf,
  scopeOf,
  type FailureCode,
  type Operation,
  type Operations,
} from '@recto/operation'
import { failureDescriptions } from './failure-descriptions.ts'
import { createComponents, type Components, type JsonSchema } from './schemas.ts'

/** The document's `info`, and the prefix of its paths. */
export interface OpenApiInfo {
  title: string
  version: string
  description: string
  /** Path prefix of every operation, such as `/v1`. */
  prefix: string
  /** Groups of the operations; without them, operations are grouped by service. */
  tags?: readonly OpenApiTag[]
  descriptions?: Descriptions
  /** A request and its reply for operations, by their ids. */
  examples?: Readonly<Record<string, OpenApiExample>>
}

/** The body of a request and that of the reply; either is left out where there is none. */
export interface OpenApiExample {
  body?: unknown
  reply?: unknown
}

/** Descriptions of what the contract does not describe itself. */
export interface Descriptions {
  /** By the name of a parameter of a path or a query. */
  parameters: Readonly<Record<string, string>>
  /** By the name of a field, or by `Schema.field`, which comes first. */
  fields: Readonly<Record<string, string>>
  /** Who may use an operation, in a sentence that ends its description; its scope unless given. */
  access?: (operation: Operation) => string
}

/** A group of operations: those whose path begins with one of these, unless a tag with a longer one has them. */
export interface OpenApiTag {
  /** The word that operations carry, such as `space-comments`. */
  name: string
  title: string
  description: string
  /** Paths without the document's prefix, with the names of their parameters: `/spaces/{spaceId}/comments`. */
  paths: readonly string[]
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, unknown>>
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, JsonSchema> }
}

const implied: FailureCode[] = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
  'timeout',
]
const ofTokens: FailureCode[] = ['unauthenticated', 'forbidden', 'rate_limited']
const withBody: FailureCode[] = ['too_large', 'unsupported_media_type']

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request failed',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'Why the request failed',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status' },
        message: { type: 'string', description: 'Text for people' },
        details: {
          type: 'array',
          description: 'Faults of the request, one for each field',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'Field at fault, such as `body.title`' },
              message: { type: 'string', description: 'Text for people' },
            },
          },
        },
      },
    },
  },
}

/** Derives the OpenAPI 3.1 document from the contract; rows without route are left out. */
export function openApiDocument(api: Record<string, Operations>, info: OpenApiInfo): OpenApiDocument {
  const components = createComponents(info.descriptions?.fields)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [service, operations] of Object.entries(api)) {
    for (const [operationId, operation] of Object.entries(operations)) {
      const route = routeOf(operation)
      if (!route) continue
      const item = (paths[route.path] ??= {})
      const tag = info.tags ? tagOf(info.tags, route.path) : service
      const described = info.descriptions?.parameters ?? {}
      const access = (info.descriptions?.access ?? scopeNeeded)(operation)
      const example = info.examples?.[operationId] ?? {}
      const row = { tag, operationId, operation, described, access, example }
      item[route.method.toLowerCase()] = describe(components, row)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.prefix }],
    security: [{ token: [] }],
    tags:
      info.tags?.map(({ name, title, description }) => ({ name, description, 'x-displayName': title })) ??
      Object.keys(api).map(name => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, ...components.schemas },
    },
  }
}

/** Throws when no tag has the path. */
function tagOf(tags: readonly OpenApiTag[], path: string): string {
  const matches = tags.flatMap(({ name, paths }) =>
    paths
      .filter(start => path === start || path.startsWith(`${start}/`))
      .map(start => ({ name, length: start.length })),
  )
  const [longest] = matches.toSorted((one, other) => other.length - one.length)
  if (!longest) throw new Error(`No tag has the path ${path}`)
  return longest.name
}

interface Row {
  tag: string
  operationId: string
  operation: Operation
  described: Readonly<Record<string, string>>
  access: string
  example: OpenApiExample
}

const scopeNeeded = (operation: Operation): string =>
  operation.access?.public ? 'Needs no token.' : `Needs the scope \`${scopeOf(operation)}\`.`

function describe(components: Components, row: Row): unknown {
  const { tag, operationId, operation, described, access, example } = row
  return {
    operationId,
    summary: operation.summary,
    description: [operation.description, access].filter(Boolean).join(' '),
    tags: [tag],
    security: operation.access?.public ? [] : [{ token: [scopeOf(operation)] }],
    parameters: [
      ...[...pathParameters(operation), ...queryParameters(components, operation), ...headerParameters(operation)].map(
        parameter => ({
          ...(described[parameter.name] && { description: described[parameter.name] }),
          ...parameter,
        }),
      ),
      ...(createsSomething(operation) ? [idempotencyKey] : []),
    ],
    ...(operation.body && { requestBody: requestBody(components, operation, example) }),
    ...(operation.request?.raw && { requestBody: rawBody }),
    responses: { ...success(components, operation, example), ...failures(operation) },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes repeating the request safe: within a day, a request with the same key gets the first reply, and creates nothing more',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

const rawBody = { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }

/** Which of them a request has to have is up to the operation. */
function headerParameters(operation: Operation): Parameter[] {
  return (operation.request?.headers ?? []).map(name => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string' },
  }))
}

function pathParameters(operation: Operation): Parameter[] {
  const names = [...(operation.route ?? '').matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  return names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(components: Components, operation: Operation): Parameter[] {
  if (!operation.query) return []
  const schema = components.inline(operation.query)
  const required = (schema.required as string[] | undefined) ?? []
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
      schema: rest,
    }
  })
}

function requestBody(components: Components, operation: Operation, example: OpenApiExample): unknown {
  const schema = operation.body && components.reference(operation.body, 'input')
  const type = operation.request?.form ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required: !operation.request?.optionalBody, content: { [type]: { schema, ...exampleOf(example.body) } } }
}

const exampleOf = (example: unknown) => (example === undefined ? {} : { example })

function success(components: Components, operation: Operation, example: OpenApiExample): Record<string, unknown> {
  const status = statusOf(operation)
  if (status === 302)
    return {
      [status]: {
        description: 'Leads elsewhere',
        headers: { location: { description: 'Where to go on', schema: { type: 'string' } } },
      },
    }
  if (status === 204 || operation.reply.def.type === 'undefined') return { [status]: { description: 'Done' } }
  const location = { location: { description: 'URL of what was created', schema: { type: 'string' } } }
  const type = operation.response?.mediaType ?? 'application/json'
  const schema = components.reference(operation.reply, 'output')
  const content = { [type]: { schema, ...exampleOf(example.reply) } }
  const created = { 201: { description: 'Created', headers: location, content } }
  if (status === 201) return created
  return { [status]: { description: 'Success', content }, ...(operation.creates === 'ifAbsent' && created) }
}

function failures(operation: Operation): Record<string, unknown> {
  const always = operation.access?.public ? implied.filter(code => !ofTokens.includes(code)) : implied
  const codes = new Set([
    ...always,
    ...(operation.body ? withBody : []),
    ...(createsSomething(operation) ? (['conflict'] as const) : []),
    ...(operation.errors ?? []),
  ])
  const page = { 'text/html': { schema: { type: 'string', description: 'A page for the person who sees it' } } }
  const content = operation.response?.failurePage
    ? page
    : { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const sorted = [...codes].sort((a, b) => failureStatus[a] - failureStatus[b])
  return Object.fromEntries(
    sorted.map(code => [failureStatus[code], { description: failureDescriptions[code], content }]),
  )
}
