import { decodeUriComponent } from '@recto/text'
import type { SpecificationOutline } from '@recto/contracts-openapi-specs-bus'
import type { z } from 'zod'
import { storableText } from '../specs/storable-text.rules.ts'

/** The parts of a specification that become pages. */
export type Outline = z.output<typeof SpecificationOutline>
type Page = Outline['pages'][number]
type Json = Record<string, unknown>

/** Paths and names of webhooks that a tag of a page can name: in one line, without the marks of tags. */
const canBeNamed = /^(?!.*(?:\{%|%\}))[^\p{Cc}\p{Cs}]{1,2000}$/u

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const hiding = ['x-internal', 'x-gitbook-ignore'] as const
/** Characters, and numbers of items: what is beyond them is left out. The second line is of all pages together. */
const limits = {
  title: 200,
  icon: 50,
  text: 50_000,
  pages: 1_000,
  perPage: 1_000,
  schemas: 5_000,
  depth: 10,
  operations: 10_000,
  operationText: 2_000_000,
  pageText: 1_000_000,
}

/**
 * The pages of a specification of OpenAPI 3.1:
 *
 * | in the document                                              | in the outline                                                       |
 * | ------------------------------------------------------------ | -------------------------------------------------------------------- |
 * | a tag that is declared                                       | a page, in the order of `tags`                                       |
 * | a tag that operations name, and nothing declares             | a page behind those, in the order of the operations                  |
 * | an operation with tags                                       | on the page of each of them, in the order of the document            |
 * | an operation without tags; a webhook without tags            | on a last page of their own: Operations, Webhooks                    |
 * | `x-page-title`, else `x-displayName`, else `summary`         | the title of the page of a tag; else the name of the tag             |
 * | `x-page-description`, `x-page-icon`, `description`           | description and icon of the page, and its text                       |
 * | `x-parent`, else `parent`: the name of a tag                 | the page that it is below; unknown, a circle, or too deep: at the top |
 * | `x-internal` or `x-gitbook-ignore` of a tag                  | hidden with the tags below it, and operations that have no other tag |
 * | the same of a path, an operation or a schema                 | hidden                                                               |
 * | a tag that nothing names, without text and pages below it    | no page                                                              |
 * | an operation of a thousand tags, among a thousand of them    | on pages up to a limit of all pages: it must not multiply            |
 */
export function outlineOf(document: Json): Outline {
  const tags = tagsOf(document)
  const pages = new Map([...tags].map(([name, tag]) => [name, pageOf(name, tag)]))
  const loose = untaggedPage('operations', 'Operations')
  const events = untaggedPage('webhooks', 'Webhooks')
  const hidden = hiddenTags(tags)
  const placeIn = (names: string[], rest: Page): Page[] =>
    names.length === 0 ? [rest] : names.filter(name => !hidden.has(name)).flatMap(name => pages.get(name) ?? [])
  const room = new Budget()
  for (const { key: path, method, operation } of operationsIn(document, 'paths'))
    for (const { operations } of placeIn(tagNames(operation), loose))
      room.add(operations, { method, path, ...titleOf(operation) })
  for (const { key: name, method, operation } of operationsIn(document, 'webhooks'))
    for (const { webhooks } of placeIn(tagNames(operation), events))
      room.add(webhooks, { method, name, ...titleOf(operation) })
  const visiblePages = withoutEmpty([...pages].filter(([name]) => !hidden.has(name)).map(([, page]) => page))
  const all = [...visiblePages, ...[loose, events].filter(hasOperations)].slice(0, limits.pages)
  const { title, description } = objectOf(document['info'])
  return {
    title: textOf(title, limits.title) ?? 'API',
    ...optional('text', textOf(description, limits.text)),
    pages: withKnownParents(all).map(page => room.fit(page)),
    schemas: schemasOf(document),
  }
}

/** The room that is left in an outline. */
class Budget {
  #operations = limits.operations
  #operationText = limits.operationText
  #pageText = limits.pageText

  /** Puts an operation on a page that has room. */
  add<Operation extends { method: string }>(to: Operation[], operation: Operation): void {
    const length = Object.values(operation).join('').length
    if (to.length === limits.perPage || this.#operations === 0 || length > this.#operationText) return
    this.#operations -= 1
    this.#operationText -= length
    to.push(operation)
  }

  /** A page without the texts that do not fit. */
  fit({ text, description, ...page }: Page): Page {
    return {
      ...page,
      ...optional('description', this.#fitting(description)),
      ...optional('text', this.#fitting(text)),
    }
  }

  #fitting(text = ''): string | undefined {
    if (text === '' || text.length > this.#pageText) return undefined
    this.#pageText -= text.length
    return text
  }
}

/** Declared tags, then those that operations name, by name. */
function tagsOf(document: Json): Map<string, Json> {
  const declared = Array.isArray(document['tags']) ? document['tags'] : []
  const tagByName = new Map<string, Json>()
  for (const tag of declared.map(objectOf)) {
    const name = textOf(tag['name'], limits.title)
    if (name !== undefined && !tagByName.has(name)) tagByName.set(name, tag)
  }
  const operations = [...operationsIn(document, 'paths'), ...operationsIn(document, 'webhooks')]
  for (const name of operations.flatMap(({ operation }) => tagNames(operation)))
    if (!tagByName.has(name)) tagByName.set(name, {})
  return withParents(tagByName)
}

/** Tags with the names of their parents as `parent`, where they have one, are not in a circle, and are not too deep. */
function withParents(tags: Map<string, Json>): Map<string, Json> {
  const parentOf = (name: string): string | undefined => {
    const tag = tags.get(name) ?? {}
    const parent = textOf(tag['x-parent'] ?? tag['parent'], limits.title)
    return parent !== undefined && tags.has(parent) ? parent : undefined
  }
  const depths = new Map<string, number>()
  for (const name of tags.keys()) {
    const above = new Set<string>()
    let at: string | undefined = name
    for (; at !== undefined && !depths.has(at) && !above.has(at); at = parentOf(at)) above.add(at)
    const path = [...above]
    const circle = at !== undefined && above.has(at) ? path.splice(path.indexOf(at)) : []
    for (const inCircle of circle) depths.set(inCircle, 0)
    for (const below of path.reverse()) {
      const depth = (depths.get(parentOf(below) ?? '') ?? -1) + 1
      depths.set(below, depth > limits.depth ? 0 : depth)
    }
  }
  return new Map(
    [...tags].map(([name, tag]) => [name, { ...tag, parent: depths.get(name) ? parentOf(name) : undefined }]),
  )
}

function hiddenTags(tags: Map<string, Json>): Set<string> {
  const hidden = new Set([...tags].flatMap(([name, tag]) => (isHidden(tag) ? [name] : [])))
  for (const name of tags.keys()) {
    const above: string[] = []
    const parentOf = (of: string) => tags.get(of)?.['parent'] as string | undefined
    for (let at: string | undefined = name; at !== undefined; at = parentOf(at)) above.push(at)
    const from = above.findIndex(at => hidden.has(at))
    for (const below of above.slice(0, from + 1)) hidden.add(below)
  }
  return hidden
}

function pageOf(name: string, tag: Json): Page {
  const title = textOf(tag['x-page-title'] ?? tag['x-displayName'] ?? tag['summary'], limits.title) ?? name
  return {
    key: `tag:${name}`,
    name,
    title,
    ...optional('parent', tag['parent'] === undefined ? undefined : `tag:${String(tag['parent'])}`),
    ...optional('description', textOf(tag['x-page-description'], limits.text)),
    ...optional('icon', textOf(tag['x-page-icon'], limits.icon)),
    ...optional('text', textOf(tag['description'], limits.text)),
    operations: [],
    webhooks: [],
  }
}

function untaggedPage(key: string, title: string): Page {
  return { key, name: title, title, operations: [], webhooks: [] }
}

const hasOperations = ({ operations, webhooks }: Page) => operations.length + webhooks.length > 0

/** Pages that show something, or are above one that does. */
function withoutEmpty(pages: Page[]): Page[] {
  const byKey = new Map(pages.map(page => [page.key, page]))
  const visibleKeys = new Set<string>()
  for (const page of pages) {
    if (!hasOperations(page) && page.text === undefined && page.description === undefined) continue
    for (let at: Page | undefined = page; at && !visibleKeys.has(at.key); at = byKey.get(at.parent ?? ''))
      visibleKeys.add(at.key)
  }
  return pages.filter(({ key }) => visibleKeys.has(key))
}

/** Pages whose parent is not among them stand at the top. */
function withKnownParents(pages: Page[]): Page[] {
  const keys = new Set(pages.map(({ key }) => key))
  return pages.map(({ parent, ...page }) => ({
    ...page,
    ...optional('parent', parent !== undefined && keys.has(parent) ? parent : undefined),
  }))
}

interface FoundOperation {
  key: string
  method: string
  operation: Json
}

/** The operations below `paths` or `webhooks` that are not hidden, in the order of the document. */
function operationsIn(document: Json, part: 'paths' | 'webhooks'): FoundOperation[] {
  return Object.entries(objectOf(document[part])).flatMap(([key, value]) => {
    const item = resolved(document, objectOf(value))
    if (isHidden(item) || !canBeNamed.test(key)) return []
    return Object.keys(item).flatMap(method => {
      const operation = objectOf(item[method])
      const isShown = (methods as readonly string[]).includes(method) && !isHidden(operation)
      return isShown && item[method] !== null ? [{ key, method, operation }] : []
    })
  })
}

/** Resolves a local reference, once, since a path item that refers to another has nothing else. */
function resolved(document: Json, item: Json): Json {
  const { $ref: reference } = item
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return item
  const keys = reference.slice(2).split('/').map(unescaped)
  return keys.reduce<Json>((at, key) => objectOf(Object.hasOwn(at, key) ? at[key] : undefined), document)
}

function unescaped(key: string): string {
  const pointer = key.replaceAll('~1', '/').replaceAll('~0', '~')
  return decodeUriComponent(pointer) ?? pointer
}

function schemasOf(document: Json): string[] {
  const schemas = Object.entries(objectOf(objectOf(document['components'])['schemas']))
  const visibleSchemas = schemas.filter(([name, schema]) => !isHidden(objectOf(schema)) && /^[\w.-]{1,200}$/.test(name))
  return visibleSchemas.map(([name]) => name).slice(0, limits.schemas)
}

function tagNames({ tags }: Json): string[] {
  const names = (Array.isArray(tags) ? tags : []).map(name => textOf(name, limits.title))
  return [...new Set(names.filter(name => name !== undefined))]
}

function titleOf({ summary, operationId }: Json): { title?: string } {
  return optional('title', textOf(summary ?? operationId, limits.title))
}

function isHidden(item: Json): boolean {
  return hiding.some(key => item[key] === true || item[key] === 'true')
}

/** A text that the database stores, cut to a length; undefined when it is none, or blank. */
function textOf(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = storableText(value, length).trim()
  return text === '' ? undefined : text
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string })
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
