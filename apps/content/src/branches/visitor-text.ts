import { createHash } from 'node:crypto'
import type { Visitor } from '@recto/actor'
import { type EvaluationScope, type JSONDocument, withIncluded, withReferences } from '@recto/markdown'
import { LRUCache } from 'lru-cache'
import { placesOnSite } from '../hierarchy/publication/publications.repository.ts'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import type { ContentLookup } from '../pages/content-lookup.ts'
import { documentOf, emptyDocument } from '../pages/documents.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { orFallback, parseOnce } from '../pages/parse-once.ts'
import { presentFile, type Presentation } from '../pages/present-page.ts'
import { withVisitorLinks } from '../pages/visitor-document.ts'
import type { VisitorLinks } from '../pages/visitor-links.rules.ts'
import type { Context } from '../shared/context.ts'
import { documentBytes } from '../store/content/content.repository.ts'
import type { PageRecord, ReusableRecord } from '../store/revisions/records.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import type { ContentView } from './audience/content-view.ts'
import { revisionLookup } from './branch-content.ts'
import { textOfPage, textOfReusable, type WrittenText } from './read-text.ts'
import { visiblePages } from './audience/visible-pages.ts'

const hour = 3_600_000
/** Reusable contents that include others; a circle of them ends here. */
const deepest = 4
const texts = new LRUCache<string, { markdown: string }>({ maxSize: 16 * 1024 * 1024 })

/** A page that a visitor reads. */
export interface VisitedPage {
  record: PageRecord
  index: PageIndex
  revision: RevisionRow
  view: ContentView
  presentation: Presentation
  visitor: Visitor
}

type Tools = Pick<Context, 'db' | 'publicUrl' | 'actor' | 'markdown'>

/** A page as Markdown for a visitor: its title, its description and what its text shows them, with links that they can open. Written once per audience and hour. */
export function visitorMarkdown(page: VisitedPage, tools: Tools): Promise<string> {
  const { record, revision, visitor } = page
  const at = Math.floor(Date.now() / hour)
  const key = createHash('sha256')
    .update(JSON.stringify([revision.id, page.view.key, record.id, visitor, at]))
    .digest('base64url')
  const length = ({ markdown }: { markdown: string }) => 2 * markdown.length
  return parseOnce(texts, { key, length }, async () => ({ markdown: await write(page, tools) })).then(
    ({ markdown }) => markdown,
  )
}

async function write(page: VisitedPage, tools: Tools): Promise<string> {
  const { record, index } = page
  const { title, description } = record
  const reader = await openReader(page, tools)
  const document = await reader(textOfPage(await page.view.textOf(record), index), 0)
  const written = { title, document, ...(description !== undefined && { description }) }
  return orFallback(tools.markdown.run('readMarkdown', written), () => `# ${title.replaceAll(/\s+/g, ' ')}\n`)
}

/** Reads texts of the revision as the visitor of a page gets them: evaluated, with reusable contents in their place. */
async function openReader(page: VisitedPage, tools: Tools) {
  const { revision, view, visitor } = page
  const content = await revisionLookup(tools, revision, view)
  const reusable = await view.reusableContents()
  const links = await linksOf(page, tools)
  const read = async (text: WrittenText, depth: number): Promise<JSONDocument> => {
    const { document, targets } = await written(text, { view, visitor, tools })
    const opened = await withElsewhere(links, targets, { content, tools })
    const { page: id, file } = text
    const resolved = withVisitorLinks(document, { page: id, file }, { content, links: opened })
    return withIncluded(resolved, async id => {
      const included = reusable.find((one: ReusableRecord) => one.id === id)
      const text = included && depth < deepest ? textOfReusable(await view.textOf(included)) : undefined
      return text ? (await read(text, depth + 1)).nodes : []
    })
  }
  return read
}

interface Reading {
  view: ContentView
  visitor: Visitor
  tools: Tools
}

/** A text with its expressions evaluated, and the targets in it. */
async function written(
  { hash, title, variables }: WrittenText,
  { view, visitor, tools }: Reading,
): Promise<{ document: JSONDocument; targets: string[] }> {
  const bytes = hash === undefined ? undefined : await documentBytes(tools.db, hash)
  if (hash === undefined || !bytes) return { document: emptyDocument(), targets: [] }
  const { claims } = visitor
  const scope: EvaluationScope = { space: { vars: view.variables }, page: { vars: variables }, visitor: { claims } }
  const document = await documentOf(tools.markdown, { hash, title, bytes }, scope)
  const targets: string[] = []
  withReferences(document, target => {
    targets.push(target)
    return { kind: 'url', url: target }
  })
  return { document, targets }
}

/** What the links of a page are written with. A preview has no addresses: those of the published site may show something else, or nothing. */
async function linksOf({ record, index, revision, view, presentation, visitor }: VisitedPage, { db }: Tools) {
  const isPreview = visitor.previews || visitor.changeRequest !== undefined || visitor.revision !== undefined
  const places = isPreview ? new Map<string, never>() : await placesOnSite(db, visitor.site)
  const files = await view.files()
  const links: VisitorLinks = {
    spaceId: revision.spaceId,
    path: index.pathOf(record.id),
    pathOf: page => (index.get(page)?.type === 'link' ? undefined : index.pathOf(page)),
    fileUrl: id => {
      const file = files.get(id)
      return file && presentFile(file, presentation).downloadURL
    },
    // The address of a site that is shared by secret links opens only with the key of one.
    addressOf: space => {
      const place = visitor.spaces.includes(space) ? places.get(space) : undefined
      return place?.visibility === 'share-link' ? undefined : place?.url
    },
    elsewhere: () => undefined,
  }
  return links
}

/** The same with pages of other spaces that the targets name. */
async function withElsewhere(
  links: VisitorLinks,
  targets: string[],
  { content, tools }: { content: ContentLookup; tools: Tools },
): Promise<VisitorLinks> {
  const found = new Map<string, { space: string; path: string }>()
  for (const url of new Set(targets)) {
    if (!url.startsWith(`${content.publicUrl}/s/`)) continue
    const [, space = '', rest = ''] = /^\/s\/([^/#?]+)\/?(.*)$/s.exec(url.slice(content.publicUrl.length)) ?? []
    if (space === links.spaceId || links.addressOf(space) === undefined) continue
    const path = await pathInSpace(space, rest, tools)
    if (path !== undefined) found.set(url, { space, path })
  }
  return { ...links, elsewhere: url => found.get(url) }
}

/** The path of a page in the main content of another space, which is named by path or by id; undefined when there is none. */
async function pathInSpace(space: string, rest: string, tools: Tools): Promise<string | undefined> {
  const [named = '', ...anchor] = rest.split('#')
  const suffix = anchor.length > 0 ? `#${anchor.join('#')}` : ''
  if (named === '') return suffix
  const { organization = '' } = tools.actor.visitor ?? {}
  const [row] = await spaces.findUndeleted(tools.db, organization, [space])
  const revision = row && (await revisions.find(tools.db, row.revision))
  if (!revision) return undefined
  const index = await visiblePages(tools, revision)
  const [, id] = /^~\/pages\/([^/]+)$/.exec(named) ?? []
  const page = id === undefined ? index.byPath(named.replace(/\/$/, '')) : index.get(id)
  return page && `${index.pathOf(page.id)}${suffix}`
}
