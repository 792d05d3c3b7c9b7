import { ToolFailure, type JsonSchema } from '@recto/mcp'
import { createsSomething, type Operation } from '@recto/operation'
import type { AuthorTool } from '../api-reference/author-tools.ts'
import type { CallInput } from './call-operation.ts'
import type { CatalogueEntry, Parameter } from './catalogue.ts'
import { selfContained, type Schema } from './json-schema.rules.ts'

/** Names and schemas of what a tool takes, and where in the request each belongs. */
interface ToolInput {
  schema: JsonSchema
  /** Distributes the arguments of a call. Throws a `ToolFailure` for one that the tool does not take. */
  toCall(input: Record<string, unknown>): CallInput
}

type Place = 'params' | 'query' | 'body' | 'idempotencyKey'

interface Field {
  name: string
  place: Place
  schema: Schema
  isRequired: boolean
}

interface Schemas {
  schemas: Readonly<Record<string, Schema>>
  without: ReadonlySet<string>
}

/** The input of a tool that stands for one operation: the fields of path, query and body side by side, with the schemas of the contract. */
export function toolInput(tool: AuthorTool, entry: CatalogueEntry, all: Schemas): ToolInput {
  const offered = fieldsOf(entry, all).filter(({ name, place }) => place === 'params' || isTaken(name, tool))
  const input = [...offered, ...keyOf(entry.operation)]
  const properties = Object.fromEntries(input.map(({ name, schema }) => [name, schema]))
  const { value, $defs } = selfContained(properties, all)
  const required = input.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    schema: { type: 'object', properties: value, required, additionalProperties: false, $defs },
    toCall(values) {
      const call: CallInput = { operationId: tool.operationId, query: { ...tool.fixed } }
      for (const [name, value] of Object.entries(values)) {
        const field = input.find(each => each.name === name)
        if (!field) throw new ToolFailure(`${name}: is not taken by this tool`)
        if (field.place === 'idempotencyKey') call.idempotencyKey = String(value)
        else call[field.place] = { ...(call[field.place] as object | undefined), [name]: value }
      }
      if (entry.body && call.body === undefined) call.body = {}
      return call
    },
  }
}

function isTaken(name: string, { fields, fixed = {} }: Pick<AuthorTool, 'fields' | 'fixed'>): boolean {
  return fields ? fields.includes(name) : !Object.hasOwn(fixed, name)
}

function fieldsOf({ parameters, body }: CatalogueEntry, { schemas }: Schemas): Field[] {
  const ofPath = parameters.filter(parameter => parameter.in === 'path').map(each => fieldOf(each, 'params'))
  const ofQuery = parameters.filter(parameter => parameter.in === 'query').map(each => fieldOf(each, 'query'))
  const bodySchema =
    body && (resolve(body.schema, schemas) as { properties?: Record<string, Schema>; required?: string[] })
  const ofBody = Object.entries(bodySchema?.properties ?? {}).map(([name, schema]): Field => {
    return { name, place: 'body', schema, isRequired: bodySchema?.required?.includes(name) ?? false }
  })
  return [...ofPath, ...ofQuery, ...ofBody]
}

function fieldOf({ name, required = false, description, schema }: Parameter, place: Place): Field {
  return { name, place, isRequired: required, schema: { ...schema, ...(description !== undefined && { description }) } }
}

/** The schema that a reference leads to. */
function resolve(schema: Schema, schemas: Schemas['schemas']): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : (schemas[name] ?? schema)
}

/** Operations that create something do so once for a key. */
function keyOf(operation: Operation): Field[] {
  if (!createsSomething(operation)) return []
  const description = 'A key of your own: a repeated call with the same one gets the first reply'
  return [
    { name: 'idempotencyKey', place: 'idempotencyKey', schema: { type: 'string', description }, isRequired: false },
  ]
}
