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

/** Reads the content of a revision as the caller sees it: members see all of it, visitors the content of their audience. */
export interface ContentView {
  /** Part of cache keys: together with the revision and the claims it decides which pages are visible. */
  key: string
  pages(computed?: Computed): Promise<PageIndex>
  files(): Promise<FileIndex>
  reusableContents(): Promise<ReusableRecord[]>
  /** Reads the text of a page or a reusable content. */
  textOf<Record extends PageRecord | ReusableRecord>(record: Record): Promise<Record>
  /** The variables of the space that its expressions name. */
  variables: RevisionRow['variables']
}

/** The revision that a view reads. */
export interface RevisionToView {
  revision: RevisionRow
  /** Main content of the space, when the view is of another revision and the current conditions apply to it, too. */
  current?: RevisionRow | undefined
}

/** Opens the view of a revision for the caller. */
export function viewContent(tools: Tools, target: RevisionToView): ContentView {
  const { visitor } = tools.actor
  return visitor ? visitorView({ ...tools, visitor }, target) : memberView(tools, target)
}

function memberView({ db, ...tools }: Tools, { revision }: RevisionToView): ContentView {
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

function visitorView(tools: VisitorTools, target: RevisionToView): ContentView {
  const { db } = tools
  const { revision, current } = target
  return {
    key: current?.id ?? '',
    pages: (computed = 'true') => visiblePages(tools, revision, { computed, current }),
    async files() {
      const all = await loadFileIndex(db, revision.filesRoot)
      if (all.inOrder.length === 0) return all
      const { files } = await visibleIn(tools, target)
      return {
        inOrder: all.inOrder.filter(({ id }) => files.has(id)),
        get: id => (files.has(id) ? all.get(id) : undefined),
      }
    },
    async reusableContents() {
      const all = await loadReusableContents(db, revision.reusableRoot)
      if (all.length === 0) return all
      const { reusableContents } = await visibleIn(tools, target)
      return all.filter(({ id }) => reusableContents.has(id))
    },
    textOf: record => withCurrentText(tools, target, record),
    // Values of current variables override those of the revision.
    variables: { ...revision.variables, ...current?.variables },
  }
}

/** Whether a visitor sees a specification in a revision: in a page computed from it, or in a text with one of its blocks. */
export async function showsSpecificationIn(tools: VisitorTools, revision: RevisionRow, slug: string): Promise<boolean> {
  if (isComputedFrom(await visiblePages(tools, revision), slug)) return true
  return (await visibleIn(tools, { revision })).specifications.has(slug)
}

/** Size of the cache, in ids of pages, files and reusable contents. */
const cachedIds = 500_000
const audiences = new LRUCache<string, VisibleContent>({
  maxSize: cachedIds,
  sizeCalculation: ({ pages, files, reusableContents }) => 1 + pages.size + files.size + reusableContents.size,
})

/** Selects the content of a revision that a visitor sees; visitors of one version of a site with the same claims see the same. */
async function visibleIn(tools: VisitorTools, { revision, current }: RevisionToView): Promise<VisibleContent> {
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
 * Reads a page or reusable content of a past revision for a visitor: with its past text, unless the current text hides something from the
 * visitor. Then with the current text, since nobody can tell which words of the past text are hidden now.
 */
async function withCurrentText<Record extends PageRecord | ReusableRecord>(
  tools: VisitorTools,
  { current }: RevisionToView,
  record: Record,
): Promise<Record> {
  const currentRecord = current && (await recordIn(tools.db, current, record))
  if (
    !currentRecord ||
    currentRecord.document === record.document ||
    !(await hidesSomething(tools, current, currentRecord))
  )
    return record
  const { variables } = 'variables' in currentRecord ? currentRecord : {}
  return { ...record, document: currentRecord.document, ...(variables && { variables }) }
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

/** Whether the current text of a record has a part whose conditions the visitor does not meet; a text without any part counts as hiding. */
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
