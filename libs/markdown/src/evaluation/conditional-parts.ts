import { isRaw } from '../document/marks.ts'
import { writtenReferencesIn } from '../document/references.ts'
import type { DocumentBlock, DocumentNode, JSONDocument } from '../document/schema.ts'
import { ownWordsOf, wordsOfInline } from '../document/text-of.ts'
import type { FoundReference } from '../outline/references.ts'
import { codeText } from '../writing/blocks.ts'
import { rawTargetsIn } from '../writing/raw-targets.ts'

/** A piece of a page that exactly those readers see for whom all its conditions hold. */
export interface ConditionalPart {
  /** The expressions of the `if` blocks around the piece, the outermost first; none for what everybody sees. */
  conditions: string[]
  /** The heading that the piece stands under: the nearest one that all its readers see; empty before the first one. */
  title: string
  /** The anchor of that heading. */
  anchor?: string
  /** Whether a piece before this one has the same heading. */
  continues?: true
  /** Words without URLs, one block a line; expressions have none, since their values depend on the reader. */
  text: string
  references: FoundReference[]
}

/**
 * Splits a document that was read with `writtenReference` by its conditions. The parts whose conditions hold for a reader are together
 * what `evaluateDocument` shows them, without the values of expressions.
 */
export function conditionalParts(document: JSONDocument): ConditionalPart[] {
  const reader = new PartReader()
  for (const node of document.nodes) reader.read(node)
  return reader.parts.filter(({ title, text, references }) => title !== '' || text !== '' || references.length > 0)
}

type Heading = Pick<ConditionalPart, 'title' | 'anchor' | 'continues'>

class PartReader {
  readonly parts: ConditionalPart[] = []
  private conditions: string[] = []
  private heading: Heading = { title: '' }
  private current: ConditionalPart | undefined

  read(node: DocumentNode): void {
    if (node.object === 'block' && node.type === 'if') this.readConditional(node)
    else if (node.object === 'block') this.readBlock(node)
    else this.readInline(node)
  }

  private readConditional(node: DocumentBlock): void {
    const { heading, conditions } = this
    this.conditions = [...conditions, String(node.data?.['expression'] ?? '')]
    this.current = undefined
    for (const child of node.nodes ?? []) this.read(child)
    this.conditions = conditions
    this.heading = heading
    this.current = undefined
  }

  private readBlock(node: DocumentBlock): void {
    if (/^heading-\d$/.test(node.type)) this.openSection(node)
    else this.append(ownWordsOf(node))
    this.addReferences(node)
    // The lines of code are words of its own, and have no targets.
    if (node.type === 'code') return
    for (const child of node.nodes ?? []) this.read(child)
    this.readFragments(node)
  }

  /** Inlines have references; their words are those of the block around them. */
  private readInline(node: Exclude<DocumentNode, DocumentBlock>): void {
    this.addReferences(node)
    if (node.object === 'text') return
    for (const child of node.nodes ?? []) this.read(child)
    this.readFragments(node)
  }

  private readFragments({ fragments = [] }: Pick<DocumentBlock, 'fragments'>): void {
    for (const { nodes } of fragments) for (const node of nodes) this.read(node)
  }

  private openSection(node: DocumentBlock): void {
    const anchor = node.meta?.id
    const title = (node.nodes ?? []).map(wordsOfInline).join('').trim()
    this.heading = { title, ...(anchor !== undefined && { anchor }) }
    this.current = undefined
    this.part()
    this.heading = { ...this.heading, continues: true }
  }

  private append(words: string): void {
    if (words.trim() === '') return
    const part = this.part()
    part.text += `${part.text === '' ? '' : '\n'}${words.trim()}`
  }

  private addReferences(node: DocumentNode): void {
    const references = [...dataReferences(node), ...rawReferences(node)]
    if (references.length > 0) this.part().references.push(...references)
  }

  private part(): ConditionalPart {
    if (this.current) return this.current
    this.current = { conditions: this.conditions, ...this.heading, text: '', references: [] }
    this.parts.push(this.current)
    return this.current
  }
}

/** The targets in the data of a node; that of an embed is a URL and no reference. */
function dataReferences(node: DocumentNode): FoundReference[] {
  if (node.object === 'text') return []
  const { url } = node.data ?? {}
  const embedded = node.type === 'embed' && typeof url === 'string' ? [{ target: url, kind: 'embed' as const }] : []
  return [...embedded, ...writtenReferencesIn(node.data)]
}

/** The targets in Markdown that was not understood. */
function rawReferences(node: DocumentNode): FoundReference[] {
  if (node.object === 'text') return node.leaves.flatMap(({ text, marks }) => (isRaw(marks) ? rawTargetsIn(text) : []))
  const isRawCode = node.object === 'block' && node.type === 'code' && node.data?.['raw'] === true
  return isRawCode ? rawTargetsIn(codeText(node)) : []
}
