import { textOf, toDocument, toMarkdown, type Outline } from '../index.ts'
import { JSONDocument, type DocumentRef } from '../schema.ts'

const reference = (target: string): DocumentRef => ({ kind: 'url', url: target })
const target = (ref: DocumentRef) => (ref.kind === 'url' ? ref.url : JSON.stringify(ref))

/** Reads Markdown with each target as a URL. */
export function read(markdown: string, title?: string): JSONDocument {
  return toDocument(markdown, { reference, ...(title !== undefined && { title }) })
}

/** Writes what `read` reads. */
export function write(document: JSONDocument): string {
  return toMarkdown(document, { target })
}

/** A node in short: its type, its data where it has any, and what is in it. */
export function outlineOf(node: unknown): unknown {
  const { object, type, leaves, data, nodes, fragments, fragment } = node as Record<string, unknown>
  if (object === 'text')
    return (leaves as { text: string; marks: { type: string }[] }[]).map(({ text, marks }) =>
      marks.length > 0 ? `${marks.map(mark => mark.type).join('+')}:${text}` : text,
    )
  const inside = [...((nodes as unknown[] | undefined) ?? []), ...((fragments as unknown[] | undefined) ?? [])]
  const hasData = data && Object.keys(data).length > 0
  return [
    object === 'fragment' ? fragment : type,
    ...(hasData ? [data] : []),
    ...inside.flatMap(child => [outlineOf(child)]),
  ]
}

/** A round trip of Markdown: its document, what that is written as, and both once more, which are expected to be equal. */
export function roundTrip(markdown: string) {
  const document = read(markdown)
  const output = write(document)
  const again = read(output)
  return {
    document,
    output,
    again,
    writtenAgain: write(again),
    faults: JSONDocument.safeParse(document).error?.issues,
  }
}

/** Words of the source that a document lacks. The names of links that are their targets, and of icons, are none. */
export function lostWords(outline: Outline, markdown: string, document: JSONDocument): string[] {
  const { title = '', sections, references } = outline
  const counts = count(textOf(document))
  const derived = count(
    [...references.map(({ target }) => target), ...markdown.matchAll(/class="fa-([\w-]+)"/g)].map(String).join(' '),
  )
  const source = count([title, ...sections.flatMap(section => [section.title, section.text])].join('\n'))
  return [...source]
    .filter(([word, times]) => !derived.has(word) && (counts.get(word) ?? 0) < times)
    .map(([word]) => word)
}

/** The targets of a page, each once. */
export function targetsOf({ references }: Outline): string[] {
  return [...new Set(references.map(pageReference => pageReference.target))].sort()
}

function count(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}
