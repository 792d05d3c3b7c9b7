import { createHash } from 'node:crypto'
import type { Visitor } from '@recto/actor'
import {
  type EvaluationScope,
  type FoundReference,
  type JSONDocument,
  withIncluded,
  withoutComments,
  withReferences,
  withTagLabels,
} from '@recto/markdown'
import { publicationsOfSite } from '../sites/publications.repository.ts'
import { documentOf, emptyDocument } from '../documents/documents.ts'
import { labelsOfPage, tagLabels } from '../pages/page-tags.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { createParseCache, orFallback, parseOnce } from '../documents/parse-once.ts'
import { presentFile, type Presentation } from '../pages/present-page.ts'
import { unresolvedApplicationUrl, withVisitorLinks } from '../pages/visitor-document.ts'
import type { VisitorLinks } from '../pages/visitor-links.rules.ts'
import type { Context } from '../shared/context.ts'
import { documentBytes } from '../content-store/content.repository.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { ContentView } from '../audience/content-view.ts'
import { revisionLookup } from './revision-lookup.ts'
import { textOfPage, textOfReusable, type WrittenText } from './read-text.ts'
import { visitedPlaces } from './visited-places.ts'

const hour = 3_600_000
/** Levels of reusable contents that include others; a cycle of them ends here. */
const maxDepth = 4
const texts = createParseCache<{ markdown: string }>(16 * 1024 * 1024)

/** A page that a visitor reads. */
export interface VisitedPage {
  record: PageRecord
  index: PageIndex
  revision: RevisionRow
  view: ContentView
  presentation: Presentation
  visitor: Visitor
  /** The address of the space below which links lead to the Markdown of pages; without it they lead to pages. */
  markdownBase: string | undefined
}

type Tools = Pick<Context, 'db' | 'publicUrl' | 'actor' | 'markdown' | 'publishing'>

/** A page as Markdown for a visitor: title, description, tags and the visible text, with links that they can open. Written once per audience and hour. */
export function visitorMarkdown(page: VisitedPage, tools: Tools): Promise<string> {
  const { record, revision, visitor, markdownBase } = page
  const at = Math.floor(Date.now() / hour)
  const key = createHash('sha256')
    .update(JSON.stringify([revision.id, page.view.key, record.id, visitor, markdownBase, at]))
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
  const labels = tagLabels(page.revision.configuration?.tags)
  const document = withTagLabels(await reader(textOfPage(await page.view.textOf(record), index), 0), labels)
  const tags = labelsOfPage(record, labels)
  const pageDocument = { title, document, tags, ...(description !== undefined && { description }) }
  return orFallback(tools.markdown.run('readMarkdown', pageDocument), () => `# ${title.replaceAll(/\s+/g, ' ')}\n`)
}

/** Reads texts of the revision as the visitor of a page gets them: evaluated, with reusable contents in their place. */
async function openReader(page: VisitedPage, tools: Tools) {
  const { revision, view, visitor } = page
  const content = await revisionLookup(tools, revision, view)
  const reusable = await view.reusableContents()
  const links = await linksOf(page, tools)
  const read = async (text: WrittenText, depth: number): Promise<JSONDocument> => {
    const { document, targets } = await readTargets(text, { view, visitor, tools })
    const { page: id, file } = text
    const urls = targets.flatMap(target => unresolvedApplicationUrl({ ...target, page: id, file }, content) ?? [])
    const places = await visitedPlaces(urls, { ...tools, visitor })
    const pageLinks = { ...links, placeOf: (url: string) => places.get(url) }
    const linkedDocument = withVisitorLinks(document, { page: id, file }, { content, links: pageLinks })
    return withIncluded(linkedDocument, async id => {
      const included = reusable.find((one: ReusableRecord) => one.id === id)
      const text = included && depth < maxDepth ? textOfReusable(await view.textOf(included)) : undefined
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
async function readTargets(
  { hash, title, variables }: WrittenText,
  { view, visitor, tools }: Reading,
): Promise<{ document: JSONDocument; targets: FoundReference[] }> {
  const bytes = hash === undefined ? undefined : await documentBytes(tools.db, hash)
  if (hash === undefined || !bytes) return { document: emptyDocument(), targets: [] }
  const { claims } = visitor
  const scope: EvaluationScope = { space: { vars: view.variables }, page: { vars: variables }, visitor: { claims } }
  const document = withoutComments(await documentOf(tools.markdown, { hash, title, bytes }, scope))
  const targets: FoundReference[] = []
  withReferences(document, (target, kind) => {
    targets.push({ target, kind })
    return { kind: 'url', url: target }
  })
  return { document, targets }
}

/** The addresses for the links of a page. A preview has none, as the published site may differ from it. */
async function linksOf(page: VisitedPage, { db }: Tools) {
  const { record, index, revision, view, presentation, visitor, markdownBase } = page
  const isPreview = visitor.previews || visitor.changeRequest !== undefined || visitor.revision !== undefined
  const places = isPreview ? new Map<string, never>() : await publicationsOfSite(db, visitor.site)
  const files = await view.files()
  const links: VisitorLinks = {
    spaceId: revision.spaceId,
    markdownBase,
    path: index.pathOf(record.id),
    pathOf: id => (index.get(id)?.type === 'link' ? undefined : index.pathOf(id)),
    fileUrl: id => {
      const file = files.get(id)
      return file && presentFile(file, presentation).downloadURL
    },
    // The address of a site that is shared by secret links opens only with the key of one.
    addressOf: space => {
      const place = visitor.spaces.includes(space) ? places.get(space) : undefined
      return place?.visibility === 'share-link' ? undefined : place?.url
    },
    placeOf: () => undefined,
  }
  return links
}
