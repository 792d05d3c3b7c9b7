import { decodeEntities } from '../syntax/attributes.ts'
import type { ReadContext } from './context.ts'
import { hasOnly, wordsOf, type ElementNode, type InlineNode } from './elements.ts'
import { InlineBuilder } from './inline-builder.ts'
import { readElement } from './inline-elements.ts'
import { block, textNode } from './nodes.ts'
import { isRaw } from './marks.ts'
import type { DocumentBlock, DocumentInline, DocumentText } from './schema.ts'

interface Line {
  builder: InlineBuilder
  highlighted?: true
}

/** Reads `<pre><code>`: code with highlighted lines (`<strong>`), expressions or annotations; undefined when any of it is not understood. */
export function readCode(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const [code, ...more] = element.children
  if (code?.type !== 'element' || code.tag !== 'code' || more.length > 0) return undefined
  const data = readOptions(element, code)
  const lines = data && readLines(code.children, context)
  if (!lines) return undefined
  const nodes = lines.map(({ builder, highlighted }) =>
    block('code-line', { data: { highlighted }, nodes: builder.nodes.length > 0 ? builder.nodes : [textNode('')] }),
  )
  return block('code', { data, nodes })
}

/** Reads a number of lines as it is written in its shortest form; undefined for all else. */
export function readLineCount(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined
}

// prettier-ignore
const optionAttributes = [
  'data-title', 'data-overflow', 'data-line-numbers', 'data-full-width', 'data-expandable', 'data-collapsedlinecount',
]

function readOptions(pre: ElementNode, code: ElementNode): Record<string, unknown> | undefined {
  const { class: language, 'data-title': title, 'data-overflow': overflow, ...others } = pre.attributes
  const { 'data-line-numbers': lineNumbers, 'data-full-width': fullWidth } = others
  const { 'data-expandable': expandable, 'data-collapsedlinecount': lineCount } = others
  const collapsedLineCount = readLineCount(lineCount)
  const syntax = language === undefined ? undefined : /^language-([^]+)$/.exec(language)?.[1]
  const isKnown =
    hasOnly(pre, 'class', ...optionAttributes) &&
    (lineCount === undefined || collapsedLineCount !== undefined) &&
    hasOnly(code, 'class') &&
    (language === undefined || syntax !== undefined) &&
    code.attributes['class'] === (syntax === undefined ? undefined : `lang-${syntax}`) &&
    (overflow === undefined || overflow === 'wrap' || overflow === 'scroll')
  if (!isKnown) return undefined
  const flag = (value: string | undefined) => (value === undefined ? undefined : value !== 'false')
  return {
    syntax: syntax && decodeEntities(syntax),
    title: title === undefined ? undefined : decodeEntities(title),
    overflow,
    lineNumbers: flag(lineNumbers),
    fullWidth: flag(fullWidth),
    expandable: flag(expandable),
    collapsedLineCount,
  }
}

/** A line holds text, also with format, expressions and annotations. */
function isCodeNode(node: DocumentText | DocumentInline): boolean {
  if (node.object === 'inline') return node.type === 'expression' || node.type === 'annotation'
  return node.leaves.every(({ text, marks }) => !text.includes('\n') && !isRaw(marks))
}

/** A highlighted line is in a `<strong>` that starts and ends with lines. */
function readLines(nodes: readonly InlineNode[], context: ReadContext): Line[] | undefined {
  const lines: Line[] = [{ builder: new InlineBuilder() }]
  const last = () => lines.at(-1) as Line
  const isFresh = () => last().builder.nodes.length === 0
  const add = (node: InlineNode, isHighlighted: boolean): boolean => {
    if (isHighlighted) last().highlighted = true
    if (node.type === 'text') {
      for (const [at, text] of node.value.split('\n').entries()) {
        if (at > 0) lines.push({ builder: new InlineBuilder() })
        if (isHighlighted && text !== '') last().highlighted = true
        last().builder.text(text, [])
      }
      return true
    }
    if (node.type !== 'element') return false
    const { builder } = last()
    readElement(node, { builder, marks: [], context })
    return builder.nodes.every(isCodeNode)
  }
  for (const [at, node] of nodes.entries()) {
    if (node.type !== 'element' || node.tag !== 'strong') {
      if (!add(node, false)) return undefined
      continue
    }
    if (!hasOnly(node) || !isFresh()) return undefined
    last().highlighted = true
    if (!node.children.every(child => add(child, true))) return undefined
    const isLast = at === nodes.length - 1
    if (!isLast && !wordsOf(node.children).endsWith('\n')) return undefined
    if (!isLast && last().highlighted) return undefined
  }
  return lines
}
