import { nameToEmoji } from 'gemoji'
import type { Emphasis, FootnoteDefinition, Link, Root, Table } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { mathToMarkdown } from 'mdast-util-math'
import { defaultHandlers, toMarkdown as writeNodes, type Handle, type Options } from 'mdast-util-to-markdown'
import type { DocumentInline, DocumentRef, JSONDocument } from '../document/schema.ts'
import { fragmentOf } from '../document/nodes.ts'
import type { EmojiNode } from '../syntax/emoji-syntax.ts'
import { toFlow, type WrappedNode } from './blocks.ts'
import { writeDestination, writeTitle } from './escape.ts'
import type { WriteContext } from './inline-html.ts'

/** How a document is written. */
export interface MarkdownOptions {
  /** The text of a reference: a URL or a path as it stands in Markdown, with its character references; the tags of specifications have names of theirs. */
  target(ref: DocumentRef, kind?: 'openapi'): string
}

/** Writes a document as Markdown in its normal form: one spelling for each construct, no front matter, no title. */
export function toMarkdown(document: JSONDocument, { target }: MarkdownOptions): string {
  const bodies: DocumentInline[] = []
  const context: WriteContext = { target, addFootnote: annotation => bodies.push(annotation) }
  const root: Root = { type: 'root', children: toFlow(document.nodes, context) }
  // Writing the body of a footnote may add others, which follow.
  for (const [at, annotation] of bodies.entries()) {
    const body = fragmentOf(annotation, 'annotation-body')
    const label = String(at + 1)
    const children = toFlow(body?.nodes ?? [], context) as FootnoteDefinition['children']
    root.children.push({ type: 'footnoteDefinition', identifier: label, label, children })
  }
  return writeNodes(root, options)
}

type HandleParameters<Node> = [node: Node, ...rest: Parameters<Handle> extends [unknown, ...infer Rest] ? Rest : never]

const wrapped: Handle = (...[node, , state, info]: HandleParameters<WrappedNode>) => {
  const tracker = state.createTracker(info)
  const open = tracker.move(`${node.open}\n`)
  const inside = tracker.move(state.containerFlow(node as never, tracker.current()))
  return `${open}${inside}${inside === '' ? '' : '\n'}${node.close}`
}

const link: Handle & { peek?: () => string } = (...[node, , state, info]: HandleParameters<Link>) => {
  const exitLink = state.enter('link')
  const exitLabel = state.enter('label')
  const tracker = state.createTracker(info)
  const label =
    tracker.move('[') + tracker.move(state.containerPhrasing(node, { ...tracker.current(), before: '[', after: ']' }))
  exitLabel()
  exitLink()
  const title = node.title ? ` ${writeTitle(node.title)}` : ''
  return `${label}](${writeDestination(node.url)}${title})`
}
link.peek = () => '['

const emoji: Handle & { peek?: () => string } = (node: EmojiNode) => `:${node.name}:`
emoji.peek = () => ':'

/** Characters; a table with a longer cell is not padded, since padding repeats its length in each row. */
const maxPaddedLength = 200

const padded = tableHandler(true)
const narrow = tableHandler(false)

const table: Handle = (...[node, parent, state, info]: HandleParameters<Table>) => {
  const longest = Math.max(0, ...node.children.flatMap(row => row.children.map(cell => JSON.stringify(cell).length)))
  return (longest > maxPaddedLength * 5 ? narrow : padded)(node, parent, state, info)
}

function tableHandler(tablePipeAlign: boolean): Handle {
  const tableExtension = gfmToMarkdown({ tablePipeAlign }).extensions?.find(extension => extension.handlers?.['table'])
  if (!tableExtension?.handlers?.['table']) throw new Error('the extension of tables has no handler')
  return tableExtension.handlers['table'] as Handle
}

/** Names of emoji: text between colons that is one of them must not become an emoji. */
const emojiNames = Object.keys(nameToEmoji)
  .map(name => name.replaceAll('+', '\\+'))
  .join('|')

/** Between letters `_` is no emphasis, so that `*` is written there. */
const emphasis: Handle & { attention?: unknown; peek?: unknown } = (...parameters) =>
  defaultHandlers.emphasis(...(parameters as Parameters<typeof defaultHandlers.emphasis>))
emphasis.attention = (node: Emphasis) => ({
  construct: 'emphasis',
  markers: node.data?.isWithinWord ? ['*', '_'] : ['_', '*'],
  sizes: [1],
})
emphasis.peek = (node: Emphasis) => (node.data?.isWithinWord ? '*' : '_')

const options: Options = {
  extensions: [gfmToMarkdown(), mathToMarkdown({ singleDollarTextMath: false })],
  bullet: '*',
  emphasis: '_',
  fences: true,
  incrementListMarker: true,
  listItemIndent: 'one',
  rule: '*',
  resourceLink: true,
  handlers: { wrapped, link, emoji, emphasis, table } as never,
  unsafe: [
    { character: '{', after: '%', inConstruct: 'phrasing' },
    // Of a run of dollars each is escaped: after the first one, two would begin a formula.
    { character: '$', before: '\\$', inConstruct: 'phrasing' },
    { character: ':', after: `(?=(?:${emojiNames}):)`, inConstruct: 'phrasing' },
  ],
}
