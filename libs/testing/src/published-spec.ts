import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { toJsonSchema, type Json } from './spec-corrections.ts'

/** The package of a published client: the one that we answer to, or that of today. */
export type PublishedClient = (typeof publishedClients)[number]

/** The packages of the published clients. */
export const publishedClients = ['@gitbook/api', 'gitbook-api-today'] as const

const pathOf = (client: PublishedClient) => createRequire(import.meta.url).resolve(`${client}/spec/openapi.json`)
const maxSymbolLength = 50

/** An operation of the published specification, by its id or by method and path (`/spaces/{spaceId}`). */
export type PublishedOperation = string | { method: string; path: string }

/** Published specifications, compiled to validate responses. */
export interface ReplySchemas {
  /** Validates a response by each specification that has the operation and returns the faults, empty when it is valid; an operation of none or an undeclared status is a fault. */
  validateReply(operation: PublishedOperation, status: number, body: unknown): string[]
  operationIds: string[]
}

/** Loads the specifications packaged with these clients, all unless named, with corrections of schemas that no valid response can satisfy. */
export function replySchemas(...only: PublishedClient[]): ReplySchemas {
  const clients = only.length > 0 ? only : publishedClients
  const all = clients.map(client => ({ client, ...clientSchemas(client) }))
  return {
    operationIds: [...new Set(all.flatMap(({ operationIds }) => operationIds))],
    validateReply: (operation, status, body) => {
      const name = operationName(operation)
      const having = all.filter(({ has }) => has(name))
      if (having.length === 0) return [`${name} is not an operation of the specification`]
      return having.flatMap(({ client, validate }) => {
        const isOldest = client === clients[0]
        return validate({ name, status, body }).map(fault => (isOldest ? fault : `${client}: ${fault}`))
      })
    },
  }
}

interface ClientSchemas {
  operationIds: string[]
  has(name: string): boolean
  validate(reply: { name: string; status: number; body: unknown }): string[]
}

/** An operation's id, or `GET /spaces/{}`: documents name the parameters of paths differently. */
function operationName(operation: PublishedOperation): string {
  const name = typeof operation === 'string' ? operation : `${operation.method.toUpperCase()} ${operation.path}`
  return name.replaceAll(/\{\w+\}/g, '{}')
}

function clientSchemas(client: PublishedClient): ClientSchemas {
  const document = toJsonSchema(JSON.parse(readFileSync(pathOf(client), 'utf8')))
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const format of ['emoji', 'icon']) ajv.addFormat(format, (text: string) => text.length <= maxSymbolLength)
  ajv.addSchema(document, 'spec')
  const pointers = operationPointers(document)
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string) => {
    const validator = compiled.get(pointer) ?? ajv.compile({ $ref: `spec#${pointer}` })
    compiled.set(pointer, validator)
    return validator
  }
  const validate: ClientSchemas['validate'] = ({ name, status, body }) => {
    const reply = replyPointer(document, pointers.get(name) ?? '', status)
    if (reply === undefined) return [`${name} declares no reply ${status}`]
    if (reply.schema === undefined) return isEmpty(body) ? [] : [`${name} has no body with status ${status}`]
    const validator = validatorOf(reply.schema)
    return validator(body) ? [] : faults(validator.errors ?? [])
  }
  const operationIds = [...pointers.keys()].filter(name => !name.includes(' '))
  return { validate, has: name => pointers.has(name), operationIds }
}

/** Every operation of a published specification; `path` is the template as written there. */
export function publishedOperations(
  client: PublishedClient = '@gitbook/api',
): { operationId: string; method: string; path: string; tags: string[] }[] {
  const { paths } = JSON.parse(readFileSync(pathOf(client), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>
  }
  return Object.entries(paths).flatMap(([route, item]) =>
    Object.entries(item).flatMap(([method, { operationId, tags = [] }]) =>
      operationId === undefined ? [] : [{ operationId, method: method.toUpperCase(), path: route, tags }],
    ),
  )
}

/** JSON pointers of all operations, by operationId and by `METHOD /path`. */
function operationPointers(document: Json): Map<string, string> {
  const pointers = new Map<string, string>()
  for (const [route, item] of Object.entries(document.paths as Json)) {
    for (const [method, operation] of Object.entries(item as Json)) {
      const pointer = `/paths/${escaped(route)}/${method}`
      pointers.set(operationName({ method, path: route }), pointer)
      const { operationId } = operation as Json
      if (typeof operationId === 'string') pointers.set(operationId, pointer)
    }
  }
  return pointers
}

function replyPointer(document: Json, operation: string, status: number): { schema: string | undefined } | undefined {
  const declared = at(document, `${operation}/responses/${status}`) === undefined ? 'default' : status
  const pointer = `${operation}/responses/${declared}`
  const response = at(document, pointer)
  if (response === undefined) return undefined
  const target = typeof response.$ref === 'string' ? response.$ref.slice(1) : pointer
  // The schema of a stream is that of each of its events.
  const schemas = ['application/json', 'text/event-stream'].map(type => `${target}/content/${escaped(type)}/schema`)
  return { schema: schemas.find(schema => at(document, schema)) }
}

function at(document: Json, pointer: string): Json | undefined {
  let node: unknown = document
  for (const key of pointer.split('/').slice(1)) {
    node = (node as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return node as Json | undefined
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === ''
}

function faults(errors: ErrorObject[]): string[] {
  return errors.map(({ instancePath, message, params }) => {
    const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
    return `${instancePath || '/'} ${message ?? 'is wrong'}${allowed}`
  })
}
