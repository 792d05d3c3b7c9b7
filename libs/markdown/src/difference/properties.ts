import { ownFields, stableText, type ContentNode } from './content-ids.ts'
import type { PropertyChange } from './schema.ts'

/** Fields whose own fields are compared. */
const nested = new Set(['data', 'meta'])

/** Finds the fields of two nodes that differ, without those that are named as left out. */
export function diffProperties(
  before: ContentNode,
  after: ContentNode,
  leftOut: ReadonlySet<string> = new Set(),
): PropertyChange[] {
  const old = flatFields(before)
  const current = flatFields(after)
  const names = new Set([...old.keys(), ...current.keys()])
  return [...names].flatMap((name): PropertyChange[] => {
    const was = old.get(name)
    const is = current.get(name)
    if (leftOut.has(name) || stableText(was) === stableText(is)) return []
    return [{ name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
  })
}

/** The fields of a node by their names; a field of `data` is named `data.style`, and `data` itself is `{}`. */
function flatFields(node: ContentNode): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(ownFields(node))) {
    const isNested = nested.has(name) && typeof value === 'object' && value !== null
    fields.set(name, isNested ? {} : value)
    if (isNested) for (const [inner, each] of Object.entries(value)) fields.set(`${name}.${inner}`, each)
  }
  return fields
}

/** The node with its fields changed. */
export function withProperties<Node extends ContentNode>(node: Node, properties: readonly PropertyChange[] = []): Node {
  if (properties.length === 0) return node
  const fields = flatFields(node)
  for (const { name, after } of properties)
    if (after === undefined) fields.delete(name)
    else fields.set(name, after)
  const own: [string, unknown][] = []
  const inner = new Map<string, [string, unknown][]>()
  for (const [name, value] of fields) {
    const at = name.indexOf('.')
    const parent = at === -1 ? '' : name.slice(0, at)
    if (nested.has(parent)) inner.get(parent)?.push([name.slice(at + 1), value])
    else if (nested.has(name)) inner.set(name, [])
    else own.push([name, value])
  }
  const withInner = [...inner].map(([name, entries]) => [name, Object.fromEntries(entries)])
  const { nodes, fragments } = node as { nodes?: unknown; fragments?: unknown }
  return {
    ...Object.fromEntries([...own, ...withInner]),
    ...(nodes !== undefined && { nodes }),
    ...(fragments !== undefined && { fragments }),
  } as Node
}
