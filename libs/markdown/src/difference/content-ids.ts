import type { DocumentBlock, DocumentFragment, DocumentNode, DocumentText } from '../document/schema.ts'

/** A node that has a content. */
export type ContentNode = DocumentNode | DocumentFragment

/** The fields of a node itself, without the key, which follows from its content, and without what is in it. */
export function ownFields(node: ContentNode): Record<string, unknown> {
  const fields = Object.entries(node).filter(([name]) => name !== 'key' && name !== 'nodes' && name !== 'fragments')
  return Object.fromEntries(fields)
}

/** A value as text, which is the same for values that are the same, in whichever order their fields are. */
export function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  if (entries.length > 1) entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${stableText(each)}`).join()}}`
}

/** Numbers contents: nodes of the same content have the same id, whatever their keys. */
export interface ContentIds {
  of(node: ContentNode): string
  ofValue(value: unknown): string
}

/** Creates ids of contents. Each node is read once. */
export function contentIds(): ContentIds {
  const numbers = new Map<string, string>()
  const ids = new Map<object, string>()
  const number = (text: string): string => {
    const id = numbers.get(text) ?? String(numbers.size)
    numbers.set(text, id)
    return id
  }
  const of = (node: ContentNode): string => {
    const existingId = ids.get(node)
    if (existingId !== undefined) return existingId
    const id = number(node.object === 'text' ? textContent(node) : elementContent(node, of))
    ids.set(node, id)
    return id
  }
  return { of, ofValue: value => number(stableText([value])) }
}

function textContent({ leaves }: DocumentText): string {
  const texts = leaves.map(({ text, marks }) => JSON.stringify(text) + (marks.length === 0 ? '' : stableText(marks)))
  return `text ${texts.join()}`
}

function elementContent(node: Exclude<ContentNode, DocumentText>, of: ContentIds['of']): string {
  const { nodes, fragments } = node as DocumentBlock
  return `${stableText(ownFields(node))} ${nodes?.map(of).join()} ${fragments?.map(of).join()}`
}
