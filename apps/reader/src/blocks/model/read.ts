import type { DocumentBlock, DocumentInline, DocumentNode } from '@recto/markdown/schema'

type Element = DocumentBlock | DocumentInline

/** A field of a node's data as text; undefined when it is none. */
export function textField({ data }: Element, name: string): string | undefined {
  const value = data?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Tells whether a field of a node's data is set. */
export function isSet({ data }: Element, name: string): boolean {
  return data?.[name] === true
}

/** The blocks in a block. */
export function blocksIn({ nodes }: { nodes?: DocumentNode[] | undefined }): DocumentBlock[] {
  return (nodes ?? []).filter(node => node.object === 'block')
}

/** The blocks of the fragment called `name`; empty if there is none. */
export function fragmentOf({ fragments }: Element, name: string): DocumentBlock[] {
  return fragments?.find(({ fragment }) => fragment === name)?.nodes ?? []
}

/** A value as an object of fields; one without fields for anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** The texts of a list; none for anything else. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** A length in CSS; undefined for what is none. */
export function lengthOf(value: unknown): { value: number; unit: 'px' | '%' } | undefined {
  const { value: amount, unit } = typeof value === 'number' ? { value, unit: 'px' } : fieldsOf(value)
  const isLength = typeof amount === 'number' && Number.isFinite(amount) && amount > 0 && amount < 100_000
  return isLength ? { value: amount, unit: unit === '%' ? '%' : 'px' } : undefined
}
