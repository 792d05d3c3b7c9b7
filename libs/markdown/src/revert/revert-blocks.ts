import { addKeys } from '../document/keys.ts'
import type { DocumentBlock, DocumentRef } from '../document/schema.ts'
import { readRegions, type Region } from '../document/to-document.ts'
import { inLineEndingsOf } from '../front-matter/edit-yaml.ts'
import { splitPage } from '../front-matter/split-page.ts'
import { decodeEntities, encodeEntities } from '../syntax/attributes.ts'
import { normalizeText } from '../syntax/parse.ts'
import { toMarkdown } from '../writing/to-markdown.ts'
import { blocksOf, type Item, keysIn, type Reverted, revertItems } from './revert-nodes.rules.ts'

/** A page file, and the title of its page. */
export interface TitledPage {
  markdown: string
  title: string
}

/** The blocks of a page, by their keys then or now, that are to be as they were. */
export interface BlockRevert {
  before: TitledPage
  now: TitledPage
  keys: string[]
}

/** The page file afterwards; or the first key that no block has; or `unwritable` when Markdown cannot keep the result. */
export type RevertedBlocks = { markdown: string } | { unknown: string } | { unwritable: true }

/** Reverts blocks of a page file and leaves all other lines of it, with its front matter, byte for byte. */
export function revertBlocks({ before, now, keys }: BlockRevert): RevertedBlocks {
  const was = readItems(before)
  const is = readItems(now)
  if (!was || !is) return { unwritable: true }
  const itemKeys = new Set([was, is].flatMap(({ items }) => keysIn(items.flatMap(({ blocks }) => blocks))))
  const unknown = keys.find(key => !itemKeys.has(key))
  if (unknown !== undefined) return { unknown }
  const reverted = revertItems(was.items, is.items, new Set(keys))
  const body = bodyWith(reverted, { was, is })
  if (body === undefined) return { unwritable: true }
  const head = now.markdown.slice(0, splitPage(now.markdown).bodyOffset)
  return { markdown: head + inLineEndingsOf(now.markdown, body) }
}

/** A part of a page with blocks: with the lines before it, from the part before. */
interface SourceItem extends Item {
  start: number
  end: number
}

interface ReadPage {
  body: string
  items: SourceItem[]
  title: string
}

function readItems({ markdown, title }: TitledPage): ReadPage | undefined {
  const { body } = splitPage(normalizeText(markdown))
  const regions = readRegions(body, { reference, title })
  if (!regions) return undefined
  const keyed = addKeys(regions.flatMap(({ blocks }) => blocks))
  let at = 0
  const withKeys = (region: Region): SourceItem => {
    const blocks = keyed.slice(at, (at += region.blocks.length))
    return { start: region.start, end: region.end, blocks }
  }
  return { body, items: regions.map(withKeys).filter(({ blocks }) => blocks.length > 0), title }
}

/** References are not looked up: what is written stays as it is written. */
const reference = (target: string): DocumentRef => ({ kind: 'url', url: decodeEntities(target) })

/** The body with these parts: their lines as they are where these are read as the same blocks, else written anew; undefined when neither is. */
function bodyWith(reverted: Reverted<SourceItem>[], pages: { was: ReadPage; is: ReadPage }): string | undefined {
  const expected = contentOf(blocksOf(reverted))
  const { is } = pages
  const isRead = (body: string) => {
    const read = readItems({ markdown: body, title: is.title })
    return read !== undefined && contentOf(read.items.flatMap(({ blocks }) => blocks)) === expected
  }
  const lines = bodyOfLines(reverted, pages)
  if (isRead(lines)) return lines
  const [first] = is.items
  const start = first ? is.body.slice(0, first.start) : ''
  const markdown = start + write(blocksOf(reverted))
  return isRead(markdown) ? markdown : undefined
}

/** The parts in their order; what is between parts of the page as it is now, such as definitions, stays before the part that it precedes. */
function bodyOfLines(reverted: Reverted<SourceItem>[], { was, is }: { was: ReadPage; is: ReadPage }): string {
  const first = is.items[0]?.start ?? is.body.length
  let body = is.body.slice(0, first)
  let taken = first
  const append = (text: string, gap = '\n\n') => {
    body = body.trim() === '' ? body + text : body.trimEnd() + gap + text
  }
  for (const each of reverted) {
    if ('before' in each) append(was.body.slice(each.before.start, each.before.end))
    else if ('written' in each) append(write([each.written]).trimEnd())
    else {
      const { start, end } = each.now
      const between = withoutItems({ from: taken, to: start }, is)
      const text = is.body.slice(start, end)
      if (start === first && body.length === first) body += text
      else if (body.trim() === '') append(between.trimStart() + text)
      // Two parts are on lines of their own, however the lines of one that is gone ended.
      else append(text, /\n/.test(between) ? between : '\n\n')
      taken = end
    }
  }
  return body + withoutItems({ from: taken, to: is.body.length }, is)
}

/** The characters of a page between two places that are no part of an item: blank lines, and what is read as no block. */
function withoutItems({ from, to }: { from: number; to: number }, { body, items }: ReadPage): string {
  const inside = items.filter(({ start, end }) => end > from && start < to)
  if (inside.length === 0) return body.slice(from, to)
  const starts = [from, ...inside.map(({ end }) => end)]
  const pieces = starts.map((start, at) => body.slice(start, inside[at]?.start ?? to))
  const texts = pieces.filter(piece => piece.trim() !== '').map(piece => piece.replace(/^\n+|\s+$/g, ''))
  const blankEnd = /\s*$/.exec(pieces.at(-1) ?? '')?.[0] ?? ''
  return texts.length === 0 ? blankEnd : `\n\n${texts.join('\n\n')}${blankEnd}`
}

function write(nodes: DocumentBlock[]): string {
  const target = (ref: DocumentRef) => (ref.kind === 'url' ? encodeEntities(ref.url) : '')
  return toMarkdown({ object: 'document', data: { schemaVersion: 1 }, nodes }, { target })
}

function contentOf(blocks: DocumentBlock[]): string {
  return JSON.stringify(blocks, (name, value: unknown) => (name === 'key' ? undefined : value))
}
