import { decodeEntities, textOf } from '@recto/markdown'
import type { DocumentBlock } from '@recto/markdown/schema'

const elements = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote body br button canvas caption
  center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font
  footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main
  map mark marquee menu meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress q rp
  rt ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td
  template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(/\s+/),
)

/** The visible text of source that was not understood: no comments, no tags of HTML and of the dialect, but `List<String>`. */
export function visibleText(source: string): string {
  const withoutTags = withoutBetween(withoutBetween(source, '<!--', '-->'), '{%', '%}')
  const text = withoutTags.replace(/<\/?([a-zA-Z][\w-]*)(?:[\s/][^<>]*)?>/g, (element, name: string) =>
    elements.has(name.toLowerCase()) ? '' : element,
  )
  return decodeEntities(text)
}

/** Takes out what is between two marks, with them; a start without an end stays. */
function withoutBetween(source: string, start: string, end: string): string {
  let text = ''
  let at = 0
  for (;;) {
    const from = source.indexOf(start, at)
    const to = from < 0 ? -1 : source.indexOf(end, from + start.length)
    if (to < 0) return text + source.slice(at)
    text += source.slice(at, from)
    at = to + end.length
  }
}

/**
 * The lines that a reader sees of a block that was not understood: the text of HTML and of tags, and nothing of definitions that no
 * link and no footnote uses. Undefined for Markdown, which is shown as it was written.
 */
export function visibleLines(block: DocumentBlock, source: string): string[] | undefined {
  if (/^\[[^\]\n]+\]:\s/.test(source)) return []
  if (!/^\s*(?:<|\{%)/.test(source)) return undefined
  const lines = textOf({ object: 'document', data: { schemaVersion: 8 }, nodes: [block] }).split('\n')
  return lines.map(line => line.trim()).filter(line => line !== '')
}
