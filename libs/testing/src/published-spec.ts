import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { toJsonSchema, type Json } from './spec-corrections.ts'

/** The package of a published client: the one that we answer to, or that of today. */
export type PublishedClient = '@gitbook/api' | 'gitbook-api-today'

const pathOf = (client: PublishedClient) => createRequire(import.meta.url).resolve(`${client}/spec/openapi.json`)
const maxSymbolLength = 50

/** An operation of the published specification, by its id or by method and path (`/spaces/{spaceId}`). */
export type PublishedOperation = string | { method: string; path: string }

/** The published specification, compiled to validate responses. */
export interface ReplySchemas {
  /** Validates a response and returns the faults, empty when it is valid; an unknown operation or an undeclared status is a fault. */
  validateReply(operation: PublishedOperation, status: number, body: unknown): string[]
  operationIds: string[]
}

/** Loads the specification packaged with a published client, with corrections of schemas that no valid response can satisfy. */
export function replySchemas(client: PublishedClient = '@gitbook/api'): ReplySchemas {
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
  const validateReply = (operation: PublishedOperation, status: number, body: unknown) => {
    const name = typeof operation === 'string' ? operation : `${operation.method.toUpperCase()} ${operation.path}`
    const pointer = pointers.get(name)
    if (pointer === undefined) return [`${name} is not an operation of the specification`]
    const reply = replyPointer(document, pointer, status)
    if (reply === undefined) return [`${name} declares no reply ${status}`]
    if (reply.schema === undefined) return isEmpty(body) ? [] : [`${name} has no body with status ${status}`]
    const validator = validatorOf(reply.schema)
    return validator(body) ? [] : faults(validator.errors ?? [])
  }
  return { validateReply, operationIds: [...pointers.keys()].filter(name => !name.includes(' ')) }
}

/** Every operation of the published specification; `path` is the template as written there. */
export function publishedOperations(): { operationId: string; method: string; path: string }[] {
  const { paths } = JSON.parse(readFileSync(pathOf('@gitbook/api'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  return Object.entries(paths).flatMap(([route, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [{ operationId, method: method.toUpperCase(), path: route }],
    ),
  )
}

/** JSON pointers of all operations, by operationId and by `METHOD /path`. */
function operationPointers(document: Json): Map<string, string> {
  const pointers = new Map<string, string>()
  for (const [route, item] of Object.entries(document.paths as Json)) {
    for (const [method, operation] of Object.entries(item as Json)) {
      const pointer = `/paths/${escaped(route)}/${method}`
      pointers.set(`${method.toUpperCase()} ${route}`, pointer)
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
  const schema = `${target}/content/${escaped('application/json')}/schema`
  return { schema: at(document, schema) && schema }
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
