import { emojiFromCodePoints } from '@recto/text'
import { readTagParts } from '../syntax/attributes.ts'
import { htmlText, parseHtml } from '../syntax/html.ts'
import { isRaw } from './marks.ts'
import type { DocumentBlock, DocumentFragment, DocumentNode, JSONDocument } from './schema.ts'

/** The words of a document, one block a line: without targets, tags and format, with the alternative texts of images. */
export function textOf(document: JSONDocument): string {
  return joined(document.nodes.map(blockText))
}

/** The words of a block itself: without those of blocks in it, and without expressions. */
export function ownWordsOf(node: DocumentBlock): string {
  const { data = {}, nodes = [] } = node
  if (node.type === 'code') return joined([String(data['title'] ?? ''), codeText(nodes, data['raw'] === true)])
  const isText = nodes.some(child => child.object !== 'block')
  return joined([...dataWords(data), tableText(data), isText ? nodes.map(wordsOfInline).join('') : ''])
}

/** The words of a piece of text, without expressions. */
export function wordsOfInline(node: DocumentNode): string {
  if (node.object === 'inline' && node.type === 'expression') return ''
  if (node.object !== 'inline' || node.type === 'emoji') return inlineText(node)
  return [...inlineDataWords(node.data ?? {}), ...(node.nodes ?? []).map(wordsOfInline)].join(' ')
}

function dataWords(data: Record<string, unknown>): string[] {
  return [data['title'], data['description'], data['alt'], data['info'], data['formula']].filter(
    value => typeof value === 'string',
  )
}

function inlineDataWords(data: Record<string, unknown>): string[] {
  const own = [data['label'], data['alt'], data['formula'], data['expression'], data['title'], data['caption']]
  return own.filter(value => typeof value === 'string')
}

function joined(lines: string[]): string {
  return lines.filter(line => line.trim() !== '').join('\n')
}

function blockText(node: DocumentNode | DocumentFragment): string {
  if (node.object === 'text' || node.object === 'inline') return inlineText(node)
  const inside = node.nodes ?? []
  if (node.object === 'fragment') return joined(inside.map(blockText))
  const data = node.data ?? {}
  if (node.type === 'code') return joined([String(data['title'] ?? ''), codeText(inside, data['raw'] === true)])
  const isText = inside.some(child => child.object !== 'block')
  const body = isText ? inside.map(inlineText).join('') : joined(inside.map(blockText))
  return joined([...dataWords(data), tableText(data), body, ...(node.fragments ?? []).map(blockText), notesOf(inside)])
}

function codeText(lines: readonly DocumentNode[], isRawMarkdown: boolean): string {
  const text = lines
    .map(line => (line.object === 'block' ? (line.nodes ?? []).map(inlineText).join('') : ''))
    .join('\n')
  return isRawMarkdown ? rawText(text) : text
}

function rawText(source: string): string {
  if (!source.startsWith('{%')) return htmlText(parseHtml(source) ?? [])
  const { title, summary, description } = readTagParts(source.slice(2, -2)).attributes
  return joined([title ?? '', summary ?? '', description ?? ''])
}

function inlineText(node: DocumentNode): string {
  if (node.object === 'text')
    return node.leaves.map(({ text, marks }) => (isRaw(marks) ? rawText(text) : text)).join('')
  if (node.object === 'block') return blockText(node)
  const data = node.data ?? {}
  if (node.type === 'emoji') return emojiFromCodePoints(String(data['code'])) ?? ''
  return [...inlineDataWords(data), ...(node.nodes ?? []).map(inlineText)].join(' ')
}

/** The bodies of footnotes follow the text. */
function notesOf(nodes: readonly DocumentNode[]): string {
  return joined(
    nodes.flatMap(node => (node.object === 'inline' && node.fragments ? node.fragments.map(blockText) : [])),
  )
}

/** The titles of columns, and the cells that are not text of their own. */
function tableText(data: Record<string, unknown>): string {
  const { definition, records } = data as {
    definition?: Record<
      string,
      { title: string; titleFragment?: string; type: string; options?: { value: string; label: string }[] }
    >
    records?: Record<string, { values: Record<string, unknown>; labels?: Record<string, string[]> }>
  }
  if (!definition || !records) return ''
  const titles = Object.values(definition).flatMap(({ title, titleFragment }) => (titleFragment ? [] : [title]))
  const cells = Object.values(records).flatMap(({ values, labels }) => [
    ...Object.values(labels ?? {}).flat(),
    ...Object.entries(values).flatMap(([id, value]) => cellText(definition[id], value)),
  ])
  return joined([...titles, ...cells])
}

function cellText(
  column: { type: string; options?: { value: string; label: string }[] } | undefined,
  value: unknown,
): string[] {
  if (column?.type === 'select')
    return (value as string[]).map(item => column.options?.find(option => option.value === item)?.label ?? item)
  const isPlain = ['number', 'rating', 'checkbox'].includes(column?.type ?? '')
  return isPlain ? [String(value)] : []
}
