import type { Node } from 'acorn'
import { parseSource } from './parse-source.ts'

/** Whether an expression reads one of the values of its scope, such as `visitor`; false for a text that is no expression. */
export function dependsOn(source: string, name: string): boolean {
  const parsed = parseSource(source)
  return 'expression' in parsed && readsName(parsed.expression, name)
}

function readsName(node: Node, name: string): boolean {
  const { type, computed } = node as Node & { computed?: boolean }
  if (type === 'Identifier') return (node as Node & { name: string }).name === name
  return Object.entries(node).some(([field, value]) => {
    // The name of a property is no value of the scope.
    if (!computed && (field === 'property' || field === 'key')) return false
    return (Array.isArray(value) ? value : [value]).some(child => isNode(child) && readsName(child, name))
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
