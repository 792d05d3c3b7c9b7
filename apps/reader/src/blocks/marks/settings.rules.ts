import type { PropertyChange } from '@recto/markdown/schema'

/** Fields that follow from others: the anchor of a heading from its words, the view of a table from its columns. */
const derived = new Set(['meta', 'meta.id', 'data', 'data.view', 'isVoid'])

/** The settings of a node that readers are told of, by their own names. */
export function settingsOf(properties: readonly PropertyChange[]): PropertyChange[] {
  return properties
    .filter(({ name }) => !derived.has(name))
    .map(property => ({ ...property, name: property.name.replace(/^(?:data|meta)\./, '') }))
}

/** Characters of a value that are shown. */
const maxText = 200

/** A value of a setting as text; nothing for one that is not set. */
export function settingText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}
