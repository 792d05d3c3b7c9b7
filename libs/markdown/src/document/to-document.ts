import type { ReferenceKind } from '../outline/references.ts'
import { splitPage } from '../front-matter/split-page.ts'
import { plainText, titleHeading } from '../outline/read-outline.ts'
import { normalizeText, parseMarkdown } from '../syntax/parse.ts'
import { readBlocks } from './blocks.ts'
import { type BlockNode, pairContainers } from './containers.ts'
import { readContext, type ReadContext } from './context.ts'
import { BeyondBounds } from './document-bounds.ts'
import { addInlines } from './inlines.ts'
import { addKeys } from './keys.ts'
import { rawBlock } from './nodes.ts'
import type { DocumentBlock, DocumentRef, JSONDocument } from './schema.ts'

/** The version of the document model, in `data.schemaVersion`. */
export const documentSchemaVersion = 8

/** How a page is read as a document. */
export interface DocumentOptions {
  /** What a target refers to, which is given as it was written (see `decodeEntities`). */
  reference(target: string, kind: ReferenceKind): DocumentRef
  /** The title of the page: a first heading that says the same is not part of the document. */
  title?: string
}

/** The document of a page file that is not parsed: one raw block. */
export function unparsedDocument(markdown: string): JSONDocument {
  return documentOf([rawBlock(splitPage(normalizeText(markdown)).body)])
}

/** Whether a document is that of a page that was not parsed. */
export function isUnparsed({ nodes: [first, second] }: JSONDocument): boolean {
  return second === undefined && first?.type === 'code' && first.data?.['raw'] === true
}

/** Reads a page file as a document; a page beyond `markdownBounds` is one raw block. */
export function toDocument(markdown: string, options: DocumentOptions): JSONDocument {
  const { body } = splitPage(normalizeText(markdown))
  return documentOf(readBody(body, options))
}

function documentOf(nodes: DocumentBlock[]): JSONDocument {
  return { object: 'document', data: { schemaVersion: documentSchemaVersion }, nodes: addKeys(nodes) }
}

function readBody(body: string, options: DocumentOptions): DocumentBlock[] {
  return readRegions(body, options)?.flatMap(({ blocks }) => blocks) ?? [rawBlock(body)]
}

/** A part of the body of a page, from `start` to `end` in characters, and the blocks that it is read as; definitions are read as none. */
export interface Region {
  start: number
  end: number
  blocks: DocumentBlock[]
}

/** Reads the body of a page by its outermost parts; undefined when it is beyond `markdownBounds`. The heading of the title is no part of it. */
export function readRegions(body: string, { reference, title }: DocumentOptions): Region[] | undefined {
  const tree = parseMarkdown(body)
  if (!tree) return undefined
  const shared = readContext(tree, body, reference)
  const context: ReadContext = { ...shared, addInlines, readBlocks: nodes => readBlocks(nodes, context) }
  const heading = titleHeading(tree)
  const isTitle = heading !== undefined && title !== undefined && plainText(heading).trim() === title.trim()
  const regions: Region[] = []
  try {
    for (const node of pairContainers(isTitle ? tree.children.slice(1) : tree.children)) {
      const { start, end } = placeOf(node)
      const blocks = readBlocks([node], context)
      const last = regions.at(-1)
      // Parts of one node, such as tags split off a paragraph, share its place.
      if (last && start < last.end) {
        last.blocks.push(...blocks)
        last.end = Math.max(last.end, end)
      } else regions.push({ start, end, blocks })
    }
    return regions
  } catch (error) {
    if (error instanceof BeyondBounds) return undefined
    throw error
  }
}

function placeOf(node: BlockNode): { start: number; end: number } {
  const [first, last] = node.type === 'container' ? [node.open, node.close] : [node, node]
  const start = first.position?.start.offset ?? 0
  return { start, end: last.position?.end.offset ?? start }
}
