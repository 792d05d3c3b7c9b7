import { decodeUriComponent } from '@recto/text'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fieldsOf } from '../model/read.ts'

/** A value of a specification with the names of the references that led to it. */
export interface ResolvedSchema {
  value: Record<string, unknown>
  /** The last part of the last reference, such as `Pet`. */
  name: string | undefined
  pointers: readonly string[]
}

/** A specification that is read. */
export interface Specification {
  document: Record<string, unknown>
  /** Follows the references of a value within the specification; those that lead nowhere, or in a circle, give nothing. */
  follow(value: unknown): ResolvedSchema
}

const cache = new LRUCache<string, Specification>({ max: 50, maxSize: 30_000_000 })
const maxChainLength = 20

/** Reads the content of a specification; undefined for what is none. */
export function openSpecification(content: string): Specification | undefined {
  const key = createHash('sha256').update(content).digest('base64')
  const cachedSpecification = cache.get(key)
  if (cachedSpecification) return cachedSpecification
  const document = fieldsOf(parsed(content))
  if (Object.keys(document).length === 0) return undefined
  const read: Specification = { document, follow: value => follow(document, value) }
  cache.set(key, read, { size: content.length })
  return read
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function follow(document: Record<string, unknown>, start: unknown): ResolvedSchema {
  const pointers: string[] = []
  let value = fieldsOf(start)
  while (typeof value['$ref'] === 'string') {
    const pointer = value['$ref']
    if (pointers.includes(pointer) || pointers.length >= maxChainLength) return { value: {}, name: undefined, pointers }
    pointers.push(pointer)
    // OpenAPI 3.1 lets a reference say more than what it leads to.
    const { $ref: _ref, ...more } = value
    value = { ...fieldsOf(valueAt(document, pointer)), ...more }
  }
  const name = pointers.at(-1)?.split('/').at(-1)
  return { value, name: name === undefined ? undefined : unescaped(name), pointers }
}

function valueAt(document: unknown, pointer: string): unknown {
  if (!pointer.startsWith('#/')) return undefined
  let value = document
  for (const part of pointer.slice(2).split('/').map(unescaped)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

function unescaped(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return decodeUriComponent(text) ?? text
}

/** The value of a field that a map has itself. */
export function own(map: unknown, name: string): unknown {
  const fields = fieldsOf(map)
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** The items of a list; none for anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text that is not empty. */
export function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
