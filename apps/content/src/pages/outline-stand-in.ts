/** A section: the text from one heading to the next. */
export interface Section {
  anchor?: string
  title: string
  level: number
  text: string
}

/** A reference of a document to something else. */
export interface Reference {
  target: string
  kind: string
  node?: string
  line: number
}

/** What search and links need of a document. */
export interface Outline {
  title?: string
  sections: Section[]
  anchors: string[]
  references: Reference[]
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Stands in for the Markdown library until it is merged: headings, plain text and inline links only. */
export function readOutline(markdown: string): Outline {
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, '')
  const sections: Section[] = [{ title: '', level: 0, text: '' }]
  const references: Reference[] = []
  let inCode = false
  for (const [at, line] of body.split('\n').entries()) {
    if (/^```/.test(line)) inCode = !inCode
    const heading = inCode ? null : /^(#{1,6})\s+(.*)$/.exec(line)
    const title = heading?.[2]?.replace(/[`\\*]/g, '').trim() ?? ''
    if (heading) sections.push({ title, anchor: slug(title), level: heading[1]?.length ?? 1, text: '' })
    else {
      const text = line.replace(/!?\[([^\]]*)\]\(<?[^)]*>?\)/g, '$1').replace(/[*`\\]/g, '')
      const section = sections.at(-1)
      if (section) section.text += `${text}\n`
    }
    if (inCode) continue
    for (const [, image, target = ''] of line.matchAll(/(!?)\[[^\]]*\]\(<?([^)>]*)>?\)/g))
      references.push({ target: target.trim(), kind: image ? 'image' : 'link', line: at + 1 })
    for (const [, target = ''] of line.matchAll(/\{% include "([^"]*)" %\}/g))
      references.push({ target, kind: 'include', line: at + 1 })
  }
  const title = sections.find(({ level }) => level === 1)?.title
  return {
    ...(title !== undefined && { title }),
    sections: sections.filter(({ title, text }) => title !== '' || text.trim() !== ''),
    anchors: sections.flatMap(({ anchor }) => anchor ?? []),
    references,
  }
}
