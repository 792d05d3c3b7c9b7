import type { Definition, Image, Link, Nodes, Root } from 'mdast'
import { fromMarkdown, type CompileContext, type Extension, type Token } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { isBeyondBounds, depthOf } from './bounds-check.ts'
import { markdownBounds } from './bounds.ts'
import { decodeEscapes, readTagParts } from './attributes.ts'
import { readAlignedHeadings } from './aligned-headings.ts'
import { emojiNodes } from './emoji-syntax.ts'
import type { TagNode } from './nodes.ts'
import { pageSyntax } from './page-syntax.ts'

/** Makes a node of a tag as it is written in a page. */
export function tagNode(source: string, isBlock: boolean): TagNode {
  const inside = source.slice(2, -2)
  const { name, attributes } = readTagParts(inside)
  for (const [key, value] of Object.entries(attributes)) attributes[key] = decodeEscapes(value)
  const rest = inside.trim().slice(name.length).trim()
  return { type: 'tag', source, name, attributes, rest, isBlock }
}

function enterTag(isBlock: boolean) {
  return function (this: CompileContext, token: Token) {
    this.enter(tagNode(this.sliceSerialize(token), isBlock), token)
  }
}

function exitTag(this: CompileContext, token: Token) {
  this.exit(token)
}

/** Keeps the destination beside the decoded one. */
function exitDestination(this: CompileContext, token: Token) {
  const url = this.resume()
  const node = this.stack.at(-1) as Link | Image | Definition
  node.url = url
  node.data = { ...node.data, target: decodeEscapes(this.sliceSerialize(token)) }
}

const tags: Extension = {
  enter: { blockTag: enterTag(true), inlineTag: enterTag(false) },
  exit: {
    blockTag: exitTag,
    inlineTag: exitTag,
    resourceDestinationString: exitDestination,
    definitionDestinationString: exitDestination,
  },
}

// Their transforms are recursive, and find addresses that the syntax left out.
const gfmNodes = gfmFromMarkdown().map(extension => ({ ...extension, transforms: [] }))

const mdastExtensions = [...gfmNodes, mathFromMarkdown(), tags, emojiNodes]

/** Unifies line endings and removes a byte order mark; lines keep their numbers. */
export function normalizeText(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

/** Parses Markdown of the dialect with normalized line endings; undefined when it is beyond a bound. */
export function parseMarkdown(markdown: string): Root | undefined {
  if (isBeyondBounds(markdown)) return undefined
  const parsed = fromMarkdown(markdown, { extensions: pageSyntax(markdown), mdastExtensions })
  const tree = /<h[1-6]\s/i.test(markdown) ? readAlignedHeadings(parsed) : parsed
  return depthOf(tree as Nodes) > markdownBounds.depth ? undefined : tree
}
