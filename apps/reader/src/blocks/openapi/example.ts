import { fieldsOf } from '../model/read.ts'
import { isCircular, mergeAllOf, partsOf, typesOf } from './schema-data.ts'
import { listOf, type Specification } from './specification.ts'

/** The direction that an example is made for: a request leaves out fields that only replies have, and the other way round. */
export type Direction = 'request' | 'response'

const bounds = { depth: 8, nodes: 400, text: 2_000 }

interface Making {
  specification: Specification
  direction: Direction
  /** Values that may still be made. */
  left: number
}

/** The example of a media type: one that is written, or one that its schema allows; undefined where nothing is known. */
export function mediaExample(media: unknown, specification: Specification, direction: Direction): unknown {
  const { example, examples, schema } = fieldsOf(media)
  if (example !== undefined) return bounded(example)
  const [first] = Object.values(fieldsOf(examples))
  const { value } = specification.follow(first).value
  if (value !== undefined) return bounded(value)
  return schema === undefined ? undefined : schemaExample(schema, specification, direction)
}

/** A value that a schema allows. */
export function schemaExample(schema: unknown, specification: Specification, direction: Direction): unknown {
  return make(schema, { specification, direction, left: bounds.nodes }, [])
}

function make(schema: unknown, making: Making, path: readonly string[]): unknown {
  const mergedSchema = mergeAllOf(making.specification.follow(schema), making.specification)
  const { value, pointers } = mergedSchema
  making.left -= 1
  const candidates = [
    value['example'],
    listOf(value['examples'])[0],
    value['const'],
    value['default'],
    listOf(value['enum'])[0],
  ]
  const ownExample = candidates.find(item => item !== undefined)
  if (ownExample !== undefined) return bounded(ownExample)
  if (pointers.some(pointer => path.includes(pointer)) || path.length >= bounds.depth || making.left < 0)
    return typesOf(value)[0] === 'array' ? [] : {}
  return ofType(mergedSchema, making, [...path, ...(pointers.length > 0 ? pointers : [''])])
}

function ofType(mergedSchema: ReturnType<typeof mergeAllOf>, making: Making, path: readonly string[]): unknown {
  const { value } = mergedSchema
  const { properties, choices } = partsOf(mergedSchema)
  if (properties.length > 0) {
    const hidden = making.direction === 'request' ? 'readOnly' : 'writeOnly'
    const visibleProperties = properties.filter(
      ({ schema }) => making.specification.follow(schema).value[hidden] !== true,
    )
    return Object.fromEntries(
      visibleProperties.slice(0, 100).map(({ name, schema }) => [name, make(schema, making, path)]),
    )
  }
  if (choices) return make(choices.schemas[0], making, path)
  const other = value['additionalProperties']
  if (typeof other === 'object' && other !== null) return { key: make(other, making, path) }
  switch (typesOf(value)[0]) {
    case 'array':
      return isCircular(value['items'], path, making.specification) ? [] : [make(value['items'], making, path)]
    case 'integer':
    case 'number':
      return numberExample(value)
    case 'boolean':
      return true
    case 'string':
      return textExamples[String(value['format'])] ?? 'text'
    default:
      return {}
  }
}

function numberExample({ minimum, type }: Record<string, unknown>): number {
  if (typeof minimum === 'number' && minimum > 1) return minimum
  return type === 'number' ? 1.5 : 1
}

const textExamples: Record<string, string | undefined> = Object.assign(Object.create(null) as object, {
  'date-time': '2025-01-31T12:00:00Z',
  date: '2025-01-31',
  time: '12:00:00Z',
  email: 'name@example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  uri: 'https://example.com',
  url: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  binary: 'binary',
  byte: 'dGV4dA==',
  password: 'password',
})

/** A copy of a value that is neither deep nor large. */
export function bounded(value: unknown): unknown {
  let left = bounds.nodes
  const copy = (item: unknown, depth: number): unknown => {
    left -= 1
    if (typeof item === 'string') return item.slice(0, bounds.text)
    if (typeof item !== 'object' || item === null) return item
    if (depth > bounds.depth || left < 0) return Array.isArray(item) ? [] : {}
    if (Array.isArray(item)) return item.slice(0, 50).map(inner => copy(inner, depth + 1))
    return Object.fromEntries(
      Object.entries(item)
        .slice(0, 100)
        .map(([name, inner]) => [name, copy(inner, depth + 1)]),
    )
  }
  return copy(value, 0)
}

/** A value as JSON that people read; a text stays as it is. */
export function exampleText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}
