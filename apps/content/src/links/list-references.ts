import type { links } from '@recto/contracts-content'
import type { PageRequest } from '@recto/database'
import { Failure, type Output } from '@recto/operation'
import { loadFileIndex } from '../pages/revision-index.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import { locationPresenter } from './present-locations.ts'
import { countReferences, listReferences, listReferrers, type ReferenceFilter } from './reference-lists.repository.ts'
import type { OpenReferences, ReferencesView } from './references-view.ts'

interface Params {
  spaceId: string
  changeRequestId?: string
}

type UsageQuery = PageRequest & Pick<ReferenceFilter, 'status' | 'brokenContext'>

/** Handlers that list references, the same for main content and for a change request. */
export function referenceReaders(open: OpenReferences) {
  return {
    links: async (params: Params, query: UsageQuery, context: Context) =>
      listUsages(await open(params, context), query, context),

    async pageLinks(params: Params & { pageId: string }, query: UsageQuery, context: Context) {
      const { pageId } = params
      const branch = await open(params, context)
      await requirePage(branch, pageId, context)
      return listUsages(branch, { ...query, pageId }, context)
    },

    async pageBacklinks(params: Params & { pageId: string }, query: PageRequest, context: Context) {
      const branch = await open(params, context)
      await requirePage(branch, params.pageId, context)
      return listBacklinks(branch, { ...query, targetKind: 'page', targetId: params.pageId }, context)
    },

    async fileBacklinks(params: Params & { fileId: string }, query: PageRequest, context: Context) {
      const branch = await open(params, context)
      const file = (await loadFileIndex(context.db, branch.revision.filesRoot)).get(params.fileId)
      if (!file) throw new Failure('not_found', 'There is no such file')
      return listBacklinks(branch, { ...query, targetKind: 'file', targetId: file.id }, context)
    },
  }
}

async function requirePage({ revision }: ReferencesView, id: string, { db }: Context): Promise<void> {
  if (!(await loadShownPages(db, revision)).get(id)) throw new Failure('not_found', 'There is no such page')
}

async function listUsages(
  { readable, revision: { spaceId }, read }: ReferencesView,
  { page: cursor, limit, ...filter }: UsageQuery & { pageId?: string },
  context: Context,
): Promise<Output<typeof links.listSpaceLinks>> {
  const request = { page: cursor, limit, cursorKey: context.cursorKey() }
  const usages = await read(async (db, overlay) => {
    const page = await listReferences(db, { ...filter, spaceId, overlay }, request)
    const { total, broken, introduced } = await countReferences(db, { ...filter, spaceId, overlay })
    return { page, stats: { total, broken: { total: broken, ...(overlay && { changeRequest: introduced }) } } }
  })
  if (!usages) return { items: [], count: 0, stats: { total: 0, broken: { total: 0 } } }
  const { page, stats } = usages.read
  const rows = page.items.flatMap(({ places }) => places.slice(0, 1))
  const present = await locationPresenter(context, readable, { content: usages.content, rows })
  return { ...page, items: page.items.map(present.usage), stats }
}

async function listBacklinks(
  { readable, revision: { spaceId }, read }: ReferencesView,
  { page: cursor, limit, ...target }: PageRequest & { targetKind: 'page' | 'file'; targetId: string },
  context: Context,
): Promise<Output<typeof links.listSpacePageBacklinks>> {
  const request = { page: cursor, limit, cursorKey: context.cursorKey() }
  const backlinks = await read((db, overlay) => listReferrers(db, { ...target, spaceId, overlay }, request))
  if (!backlinks) return { items: [], count: 0 }
  const present = await locationPresenter(context, readable, { content: backlinks.content })
  return { ...backlinks.read, items: backlinks.read.items.map(one => present.source(one, one.locations[0])) }
}
