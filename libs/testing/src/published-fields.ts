import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A schema of an OpenAPI document, as far as its properties are concerned. */
export interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Operation {
  responses?: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>
}

/** The part of an OpenAPI document that describes responses. */
export interface RepliesDocument {
  paths: Record<string, Record<string, unknown>>
}

/**
 * Lists response properties that the published specification has and a document lacks, for the operations in both: by the name of
 * the published schema and the path in it (`Space.urls.published`). Properties nested below a missing one are not listed. `client` is the
 * package whose specification is read.
 */
export function lackingFields(document: RepliesDocument, client = '@gitbook/api'): string[] {
  const published = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`${client}/spec/openapi.json`), 'utf8'),
  ) as RepliesDocument
  const lacking = new Set<string>()
  for (const [ours, theirs] of sharedReplies(document, published)) {
    const ownFields = fieldsOf(document, ours)
    const publishedFields = fieldsOf(published, theirs, ownFields)
    for (const [path, name] of publishedFields) if (!ownFields.has(path)) lacking.add(name)
  }
  return [...lacking].sort()
}

/** The schemas of the successful JSON responses of each operation in both documents. */
function sharedReplies(document: RepliesDocument, published: RepliesDocument): [Schema, Schema][] {
  const operations = Object.entries(published.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  return operations.flatMap(({ path, method, operation }) => {
    const ours = repliesOf(document, document.paths[path]?.[method])
    const theirs = repliesOf(published, operation)
    return [...theirs].flatMap(([status, schema]): [Schema, Schema][] => {
      const own = ours.get(status)
      return own ? [[own, schema]] : []
    })
  })
}

function repliesOf(document: RepliesDocument, operation: unknown): Map<string, Schema> {
  const { responses = {} } = (operation ?? {}) as Operation
  const replies = new Map<string, Schema>()
  for (const [status, response] of Object.entries(responses)) {
    const { content } = response.$ref ? (resolved(document, response.$ref) as typeof response) : response
    const schema = content?.['application/json']?.schema
    if (schema && status.startsWith('2')) replies.set(status, schema)
  }
  return replies
}

/** Schemas that no comparison enters. The nodes of documents have forms that depend on their type: `libs/markdown` tests them. */
export const comparedElsewhere = new Set(['JSONDocument'])

/** Lists the paths of all properties, with their names; properties below a path that is not in `within` are skipped. Recursive schemas are visited once. */
export function fieldsOf(document: RepliesDocument, root: Schema, within?: Map<string, string>): Map<string, string> {
  const fields = new Map<string, string>()
  const walk = (schema: Schema, at: { path: string; name: string }, inside: string[]): void => {
    const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
    const owner = $ref?.split('/').at(-1) ?? ''
    if ($ref !== undefined && !inside.includes(owner) && !comparedElsewhere.has(owner))
      walk(resolved(document, $ref) as Schema, { path: at.path, name: owner }, [...inside, owner])
    for (const alternative of [...allOf, ...anyOf, ...oneOf]) walk(alternative, at, inside)
    if (items) walk(items, { path: `${at.path}[]`, name: `${at.name}[]` }, inside)
    for (const [property, value] of Object.entries(properties)) {
      const next = { path: `${at.path}.${property}`, name: `${at.name}.${property}` }
      if (!fields.has(next.path)) fields.set(next.path, next.name)
      if (!within || within.has(next.path)) walk(value, next, inside)
    }
  }
  walk(root, { path: '', name: '' }, [])
  return fields
}

/** Returns the part of a document that a reference (`#/…`) names. */
export function resolved(document: RepliesDocument, reference: string): unknown {
  const names = reference
    .slice(2)
    .split('/')
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
}
