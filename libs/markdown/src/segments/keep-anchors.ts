import type { Heading, Root } from 'mdast'
import { headingAnchors, headingsOf, titleHeading } from '../outline/read-outline.ts'
import { parseMarkdown } from '../syntax/parse.ts'
import { offsetsOf } from './inline-pieces.ts'

/** A body whose headings have the anchors of those of another one, so that links to them still lead there: where they would not, they say them. */
export function withAnchors({ tree }: { tree: Root }, text: string): string {
  const anchors = anchorsOf(tree)
  let now = text
  // The anchor of one heading can depend on the text of another one, so that a second round may change it again.
  for (let round = 0; round < 3; round += 1) {
    const read = parseMarkdown(now)
    const present = read ? anchorsOf(read) : []
    if (present.length !== anchors.length) return now
    const differing = present.filter(({ anchor }, at) => anchor !== anchors[at]?.anchor)
    if (differing.length === 0) return now
    const names = new Map(present.map(({ heading }, at) => [heading, anchors[at]?.anchor ?? '']))
    for (const { heading } of differing.toReversed()) now = withAnchor(now, heading, names.get(heading) ?? '')
  }
  return now
}

function anchorsOf(tree: Root): { heading: Heading; anchor: string | undefined }[] {
  const title = titleHeading(tree)
  const headings = headingsOf(tree).filter(heading => heading !== title)
  const { ids } = headingAnchors(headings)
  return headings.map(heading => ({ heading, anchor: ids.get(heading) }))
}

/** Writes the anchor of a heading behind its text, as the dialect does. */
function withAnchor(text: string, { children, data }: Heading, anchor: string): string {
  const last = children.at(-1)
  if (!last || data?.html !== undefined) return text
  const { end } = offsetsOf(last)
  return `${text.slice(0, end)} <a href="#${anchor}" id="${anchor}"></a>${text.slice(end)}`
}
