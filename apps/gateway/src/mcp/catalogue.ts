import { routeOf, scopeOf, type Method, type Operation, type Operations } from '@recto/operation'
import type { Schema } from './json-schema.rules.ts'

/** A parameter in the API reference. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

/** An operation in the API reference, as far as it is read here. */
interface ReferenceEntry {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema; example?: unknown }> }>
}

/** The API reference, as far as it is read here. */
export interface Reference {
  paths: Record<string, Record<string, ReferenceEntry>>
  components: { schemas: Record<string, Schema> }
}

/** An operation with what its row and the API reference say of it. */
export interface CatalogueEntry {
  operationId: string
  operation: Operation
  method: Method
  path: string
  scope: string
  summary: string
  description: string
  tag: string
  parameters: readonly Parameter[]
  body: { schema: Schema; isRequired: boolean; example?: unknown } | undefined
  reply: Schema | undefined
}

/** The operations of the API by their ids, and the schemas that they refer to. */
export interface Catalogue {
  entries: ReadonlyMap<string, CatalogueEntry>
  schemas: Readonly<Record<string, Schema>>
}

/** Joins the rows of the contract with the API reference that was made of them. */
export function createCatalogue(api: Record<string, Operations>, { paths, components }: Reference): Catalogue {
  const described = new Map(
    Object.values(paths).flatMap(item => Object.values(item).map(entry => [entry.operationId, entry] as const)),
  )
  const rows = Object.values(api).flatMap(operations => Object.entries(operations))
  const entries = rows.flatMap(([operationId, operation]): [string, CatalogueEntry][] => {
    const route = routeOf(operation)
    const entry = described.get(operationId)
    return route && entry ? [[operationId, entryOf(entry, { operation, ...route })]] : []
  })
  return { entries: new Map(entries), schemas: components.schemas }
}

function entryOf(
  { operationId, summary, description = '', tags = [], parameters = [], requestBody, responses }: ReferenceEntry,
  { operation, method, path }: { operation: Operation; method: Method; path: string },
): CatalogueEntry {
  const body = requestBody?.content['application/json']
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return {
    operationId,
    operation,
    method,
    path,
    summary,
    description,
    parameters,
    scope: scopeOf(operation),
    tag: tags[0] ?? '',
    body: body && { ...body, isRequired: requestBody?.required ?? false },
    reply: success?.content?.['application/json']?.schema,
  }
}

/** Finds the operations that words are about, the best first. */
export function findOperations({ entries }: Catalogue, query: string, limit: number): CatalogueEntry[] {
  const words = wordsOf(query)
  const scored = Array.from(entries.values(), entry => ({ entry, score: scoreOf(entry, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.entry.operationId.localeCompare(other.entry.operationId))
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** The weight of a word, by where it stands. */
const weights = { operationId: 5, summary: 3, path: 2, tag: 2, description: 1 } as const

function scoreOf(entry: CatalogueEntry, words: readonly string[]): number {
  const texts = Object.entries(weights).map(([field, weight]): [string[], number] => [
    wordsOf(entry[field as keyof typeof weights]),
    weight,
  ])
  const scores = words.map(word => texts.reduce((sum, [text, weight]) => sum + weight * likeness(word, text), 0))
  // An operation that has all of the words comes before one that has some of them often.
  const hits = scores.filter(score => score > 0).length
  const [[name = []] = []] = texts
  return hits === 0 ? 0 : hits * 100 + scores.reduce((sum, score) => sum + score, 0) - name.length
}

/** Whether a text has a word (2), or one that differs in its end, such as a plural (1). */
function likeness(word: string, text: readonly string[]): number {
  if (text.includes(word)) return 2
  return text.some(each => differInEnd(each, word)) ? 1 : 0
}

/** Words in lower case, without those that stand in every text; those of a name such as `createSpace` are apart. */
function wordsOf(text: string): string[] {
  const parts = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return (parts.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !fillers.has(word))
}

const fillers = new Set([
  'a',
  'an',
  'and',
  'for',
  'from',
  'in',
  'is',
  'it',
  'my',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
])

function differInEnd(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length > 3 && long.startsWith(short) && long.length - short.length < 3
}
