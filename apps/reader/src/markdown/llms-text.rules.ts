import { isListed, type PageTree } from '../loaders/page-tree.rules.ts'

/** A page in a list for agents. */
export interface ListedPage {
  title: string
  /** The address of its Markdown. */
  url: string
  description: string | undefined
  /** How many pages it is below. */
  depth: number
}

/** Pages below one heading. */
export interface ListedGroup {
  /** Absent for pages at the top of the tree. */
  title: string | undefined
  pages: ListedPage[]
}

/** A section of a site: its pages, or where they are listed. */
export type ListedSection = { title: string } & ({ groups: ListedGroup[] } | { url: string })

/** A list of the pages of a site. */
export interface PageList {
  title: string
  summary: string | undefined
  /** The address of all pages as one text. */
  fullTextUrl: string
  sections: ListedSection[]
  /** The lists of other versions and languages. */
  variants: { title: string; url: string }[]
  /** The heading of pages that are in no group. */
  pagesTitle: string
}

/** Groups the pages of a tree that show and may be found, by the groups at its top. */
export function listedGroups({ documents }: PageTree, urlOf: (path: string) => string): ListedGroup[] {
  const groups: ListedGroup[] = []
  let current: { id: string | undefined; group: ListedGroup } | undefined
  for (const { page, above } of documents.filter(isListed)) {
    const [top] = above
    const owner = top?.type === 'group' ? top : undefined
    if (!current || current.id !== owner?.id) {
      current = { id: owner?.id, group: { title: owner?.title, pages: [] } }
      groups.push(current.group)
    }
    const depth = above.filter(({ type }) => type === 'document').length
    current.group.pages.push({ title: page.title, url: urlOf(page.path), description: page.description, depth })
  }
  return groups
}

/** Writes a list of pages as `llms.txt` (llmstxt.org): title, summary, and sections of links. Other versions and languages are optional. */
export function llmsText({ title, summary, fullTextUrl, sections, variants, pagesTitle }: PageList): string {
  const isOne = sections.length === 1
  const parts = [
    `# ${plainText(title)}`,
    ...(summary ? [`> ${plainText(summary)}`] : []),
    `Each link leads to a page as Markdown. [All pages as one text](${fullTextUrl}).`,
    ...sections.flatMap(section => {
      if ('url' in section)
        return [`## ${plainText(section.title)}`, listItem({ ...section, title: 'Pages of this section' })]
      const groups = section.groups.flatMap(group => groupParts(group, { pagesTitle, isOne }))
      return isOne ? groups : [`## ${plainText(section.title)}`, ...groups]
    }),
    ...(variants.length > 0 ? ['## Optional', variants.map(listItem).join('\n')] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function groupParts({ title, pages }: ListedGroup, { pagesTitle, isOne }: { pagesTitle: string; isOne: boolean }) {
  const lines = pages.map(page => {
    const description = page.description ? `: ${plainText(page.description)}` : ''
    return `${'  '.repeat(page.depth)}${listItem(page)}${description}`
  })
  const heading =
    title === undefined ? (isOne ? [`## ${pagesTitle}`] : []) : [`${isOne ? '##' : '###'} ${plainText(title)}`]
  return [...heading, lines.join('\n')]
}

/** A line of a list in Markdown that leads to a page. */
export function listItem({ title, url }: { title: string; url: string }): string {
  return `- [${plainText(title)}](${url})`
}

/** Text as one line of Markdown that is read as it stands: without links, pictures, code, emphasis or HTML of its own. */
function plainText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[[\]\\`*<]|(?<!\w)_|_(?!\w)/g, '\\$&')
}
