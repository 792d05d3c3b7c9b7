import { audienceContent, type AudienceReference, hiddenPageIds, meetsAll, type VisibleContent } from '@recto/audience'
import type { Visitor } from '@recto/actor'
import { LRUCache } from 'lru-cache'
import { outlineOf } from '../documents/outline.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { type FileIndex, loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import { isComputedFrom, loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import { documentBytes } from '../content-store/content.repository.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { revisionReferences } from './revision-references.ts'
import { siteReferences } from './site-references.ts'
import { type Computed, scopeIn, visiblePages } from './visible-pages.ts'

type Tools = Pick<Context, 'db' | 'actor' | 'markdown' | 'publicUrl' | 'publishing'>

/** The content of a revision as the caller sees it: all of it for members, for visitors what their audience does. */
export interface ContentView {
  /** Names what decides, besides the revision and the claims, which of its pages are visible. */
  key: string
  pages(computed?: Computed): Promise<PageIndex>
  files(): Promise<FileIndex>
  reusableContents(): Promise<ReusableRecord[]>
  /** Reads the text of a page or a reusable content. */
  textOf<Record extends PageRecord | ReusableRecord>(record: Record): Promise<Record>
  /** The variables of the space that its expressions name. */
  variables: RevisionRow['variables']
}

/** A revision that is read. */
export interface ViewedRevision {
  revision: RevisionRow
  /** Main content of the space, where the revision is another and its conditions are to hold for the caller. */
  current?: RevisionRow | undefined
}

/** Views a revision as the caller. */
export function viewContent(tools: Tools, viewed: ViewedRevision): ContentView {
  const { visitor } = tools.actor
  return visitor ? visitorView({ ...tools, visitor }, viewed) : memberView(tools, viewed)
}

function memberView({ db, ...tools }: Tools, { revision }: ViewedRevision): ContentView {
  return {
    key: '',
    pages: computed => visiblePages({ ...tools, db }, revision, { computed: computed ?? 'true' }),
    files: () => loadFileIndex(db, revision.filesRoot),
    reusableContents: () => loadReusableContents(db, revision.reusableRoot),
    textOf: record => Promise.resolve(record),
    variables: revision.variables,
  }
}

type VisitorTools = Tools & { visitor: Visitor }

function visitorView(tools: VisitorTools, viewed: ViewedRevision): ContentView {
  const { db } = tools
  const { revision, current } = viewed
  return {
    key: current?.id ?? '',
    pages: (computed = 'true') => visiblePages(tools, revision, { computed, current }),
    async files() {
      const all = await loadFileIndex(db, revision.filesRoot)
      if (all.inOrder.length === 0) return all
      const { files } = await visibleIn(tools, viewed)
      return {
        inOrder: all.inOrder.filter(({ id }) => files.has(id)),
        get: id => (files.has(id) ? all.get(id) : undefined),
      }
    },
    async reusableContents() {
      const all = await loadReusableContents(db, revision.reusableRoot)
      if (all.length === 0) return all
      const { reusableContents } = await visibleIn(tools, viewed)
      return all.filter(({ id }) => reusableContents.has(id))
    },
    textOf: record => currentText(tools, viewed, record),
    // Current variables decide, also where the revision has other values.
    variables: { ...revision.variables, ...current?.variables },
  }
}

/** Whether a visitor sees a specification in a revision: a page that is computed from it, or a text with a block of it. */
export async function showsSpecificationIn(tools: VisitorTools, revision: RevisionRow, slug: string): Promise<boolean> {
  if (isComputedFrom(await visiblePages(tools, revision), slug)) return true
  return (await visibleIn(tools, { revision })).specifications.has(slug)
}

/** Pages, files and reusable contents of all entries that are cached. */
const cachedIds = 500_000
const audiences = new LRUCache<string, VisibleContent>({
  maxSize: cachedIds,
  sizeCalculation: ({ pages, files, reusableContents }) => 1 + pages.size + files.size + reusableContents.size,
})

/** Selects the content of a revision that a visitor sees; the same for all visitors of a version of a site with the same claims. */
async function visibleIn(tools: VisitorTools, { revision, current }: ViewedRevision): Promise<VisibleContent> {
  const { db, visitor } = tools
  const { site, version, claims } = visitor
  const key = JSON.stringify([revision.id, current?.id, site, version, claims])
  const cachedAudience = audiences.get(key)
  if (cachedAudience) return cachedAudience
  const [index, currentIndex, references, referencesOfSite] = await Promise.all([
    loadShownPages(db, revision),
    current && loadShownPages(db, current),
    revisionReferences(tools, revision),
    siteReferences(tools, revision.spaceId),
  ])
  const none: AudienceReference[] = []
  const content = {
    pages: index.inOrder(),
    hiddenElsewhere: current && currentIndex && hiddenPageIds(currentIndex.inOrder(), scopeIn(visitor, current)),
    referencesOfPage: (page: string) => references.get(page) ?? none,
    referencesOfReusableContent: (id: string) => references.get(id) ?? none,
    referencesOfSite: referencesOfSite ?? none,
  }
  const visible = audienceContent(content, scopeIn(visitor, revision))
  if (referencesOfSite) audiences.set(key, visible)
  return visible
}

/**
 * Reads a page or reusable content of a revision that main content is not at any more, for a visitor: its text as it was, unless
 * the text as it is now hides something from them. Then they read that, since nobody can tell which words it hides.
 */
async function currentText<Record extends PageRecord | ReusableRecord>(
  tools: VisitorTools,
  { current }: ViewedRevision,
  record: Record,
): Promise<Record> {
  const now = current && (await recordIn(tools.db, current, record))
  if (!now || now.document === record.document || !(await hidesSomething(tools, current, now))) return record
  const { variables } = 'variables' in now ? now : {}
  return { ...record, document: now.document, ...(variables && { variables }) }
}

async function recordIn(
  db: Tools['db'],
  current: RevisionRow,
  { id }: PageRecord | ReusableRecord,
): Promise<PageRecord | ReusableRecord | undefined> {
  const page = (await loadShownPages(db, current)).get(id)
  if (page) return page
  return (await loadReusableContents(db, current.reusableRoot)).find(reusable => reusable.id === id)
}

async function hidesSomething(
  { db, markdown, visitor }: VisitorTools,
  current: RevisionRow,
  record: PageRecord | ReusableRecord,
): Promise<boolean> {
  const { document: hash } = record
  const bytes = hash === undefined ? undefined : await documentBytes(db, hash)
  if (hash === undefined || !bytes) return false
  const { parts } = await outlineOf(markdown, { hash, bytes })
  if (!parts) return false
  const own = 'variables' in record ? record.variables : {}
  const scope = scopeIn(visitor, current)
  return parts.length === 0 || parts.some(({ conditions }) => !meetsAll(conditions, scope, own))
}
