import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { fieldsOf, lackingFields, resolved, type RepliesDocument, type Schema } from './published-fields.ts'
import { lackingValues } from './published-values.ts'

/** The parts of a published API that a document lacks. Lists are sorted; operations are named by the published id. */
export interface PublishedDifferences {
  /** Operations that are absent by decision, by the reason. */
  absent: Map<string, string[]>
  /** All other operations that the document lacks. */
  operations: string[]
  /** Parameters of queries that an operation lacks, as `operationId: name`. */
  parameters: string[]
  /** Fields of bodies that an operation lacks, as `operationId: path`. */
  bodyFields: string[]
  /** Enumerated values of bodies and of parameters of queries that an operation refuses, as `operationId: path: value`. */
  values: string[]
  /** Fields that replies lack, as `Schema.path`. */
  replyFields: string[]
}

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  schema?: Schema
}

interface Body {
  $ref?: string
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: Body
}

type Entry = Operation & { key: string; path: string }

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Compares a document, whose paths begin as those of the client do, with the API of a published client, such as `gitbook-api-today`. `absentReason` says why a path is absent by decision. */
export function publishedDifferences(
  document: RepliesDocument,
  client: string,
  absentReason: (path: string) => string | undefined,
): PublishedDifferences {
  const file = createRequire(import.meta.url).resolve(`${client}/spec/openapi.json`)
  const published = JSON.parse(readFileSync(file, 'utf8')) as RepliesDocument
  const own = new Map(operationsOf(document).map(entry => [entry.key, entry]))
  const all = operationsOf(published)
  const lacking = all.filter(({ key }) => !own.has(key))
  const absent = new Map<string, string[]>()
  const operations: string[] = []
  for (const { operationId = '', path } of lacking) {
    const reason = absentReason(path)
    if (reason === undefined) operations.push(operationId)
    else absent.set(reason, [...(absent.get(reason) ?? []), operationId])
  }
  const shared = all.flatMap(entry => {
    const ours = own.get(entry.key)
    return ours ? [{ id: entry.operationId ?? '', ours, theirs: entry }] : []
  })
  return {
    absent: new Map([...absent].map(([reason, ids]) => [reason, ids.sort()])),
    operations: operations.sort(),
    parameters: shared
      .flatMap(({ id, ours, theirs }) => {
        const names = queryNames(document, ours)
        return queryNames(published, theirs).flatMap(name => (names.includes(name) ? [] : [`${id}: ${name}`]))
      })
      .sort(),
    bodyFields: shared
      .flatMap(({ id, ours, theirs }) => {
        const fields = fieldsOf(document, bodySchema(document, ours))
        const paths = [...fieldsOf(published, bodySchema(published, theirs), fields).keys()]
        return paths.flatMap(path => (fields.has(path) ? [] : [`${id}: ${path.slice(1)}`]))
      })
      .sort(),
    values: shared.flatMap(({ id, ours, theirs }) => lackingValuesOf(id, [document, ours], [published, theirs])).sort(),
    replyFields: lackingFields(document, client),
  }
}

/** Operations by method and path, in which the names of parameters do not matter. */
function operationsOf(document: RepliesDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      if (!methods.includes(method)) return []
      const operation = value as Operation
      const parameters = [...((item['parameters'] as Parameter[] | undefined) ?? []), ...(operation.parameters ?? [])]
      return [{ ...operation, parameters, path, key: `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}` }]
    }),
  )
}

function queryNames(document: RepliesDocument, entry: Entry): string[] {
  return [...querySchemas(document, entry).keys()]
}

function querySchemas(document: RepliesDocument, { parameters = [] }: Entry): Map<string, Schema> {
  const schemas = new Map<string, Schema>()
  for (const parameter of parameters) {
    const target = parameter.$ref ? (resolved(document, parameter.$ref) as Parameter) : parameter
    if (target.in === 'query' && target.name !== undefined) schemas.set(target.name, target.schema ?? {})
  }
  return schemas
}

/** The enumerated values that an operation lacks, in its body and in its query. */
function lackingValuesOf(
  id: string,
  [document, ours]: [RepliesDocument, Entry],
  [published, theirs]: [RepliesDocument, Entry],
): string[] {
  const schemaOf = (of: RepliesDocument, entry: Entry): Schema => ({
    allOf: [bodySchema(of, entry), { properties: Object.fromEntries(querySchemas(of, entry)) }],
  })
  return lackingValues([document, schemaOf(document, ours)], [published, schemaOf(published, theirs)]).map(
    value => `${id}: ${value}`,
  )
}

function bodySchema(document: RepliesDocument, { requestBody }: Entry): Schema {
  const body = requestBody?.$ref ? (resolved(document, requestBody.$ref) as Body) : requestBody
  return body?.content?.['application/json']?.schema ?? {}
}
