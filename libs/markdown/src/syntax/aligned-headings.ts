import type { Heading, Html, Nodes, PhrasingContent, Root } from 'mdast'
import { attribute, isElement, parseHtml, type HtmlNode } from './html.ts'

const aligns: Record<string, 'start' | 'center' | 'end'> = { left: 'start', center: 'center', right: 'end' }

declare module 'mdast' {
  interface HeadingData {
    /** The alignment of a heading that stands as HTML, since Markdown has no place for it. */
    align?: 'start' | 'center' | 'end'
    /** Its source. */
    html?: string
  }
}

/** Makes headings of HTML with an alignment, `<h2 align="center">`, headings like others. */
export function readAlignedHeadings(tree: Root): Root {
  const visit = (node: Nodes) => {
    if (!('children' in node)) return
    for (const [at, child] of node.children.entries()) {
      const heading = child.type === 'html' ? alignedHeading(child) : undefined
      if (heading) (node.children as Nodes[])[at] = heading
      else visit(child)
    }
  }
  visit(tree)
  return tree
}

function alignedHeading({ value, position }: Html): Heading | undefined {
  if (!/^<h[1-6]\s/i.test(value)) return undefined
  const [element, ...more] = parseHtml(value.trim()) ?? []
  if (!element || more.length > 0 || !isElement(element) || !/^h[1-6]$/.test(element.tagName)) return undefined
  const align = aligns[attribute(element, 'align') ?? '']
  if (!align || element.attrs.length > 1) return undefined
  const depth = Number(element.tagName.slice(1)) as Heading['depth']
  const children = element.childNodes.flatMap(node => phrasingOf(node, value.trim()))
  return { type: 'heading', depth, children, data: { align, html: value }, ...(position && { position }) }
}

/** The nodes of parsed HTML as Markdown has them: each tag is one. */
function phrasingOf(node: HtmlNode, source: string): PhrasingContent[] {
  const place = node.sourceCodeLocation
  if (node.nodeName === '#text') {
    const { value } = node as { value: string } & HtmlNode
    return [{ type: 'text', value: value.replace(/\s*\n\s*/g, ' ') }]
  }
  const html = (start = 0, end = 0): PhrasingContent => ({ type: 'html', value: source.slice(start, end) })
  if (!isElement(node)) return [html(place?.startOffset, place?.endOffset)]
  const { startTag, endTag } = node.sourceCodeLocation ?? {}
  if (!startTag) return [html(place?.startOffset, place?.endOffset)]
  return [
    html(startTag.startOffset, startTag.endOffset),
    ...node.childNodes.flatMap(child => phrasingOf(child, source)),
    ...(endTag ? [html(endTag.startOffset, endTag.endOffset)] : []),
  ]
}
