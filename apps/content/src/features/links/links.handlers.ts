import { links } from '@recto/contracts'
import type { Db, PageRequest } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import { projectedRevision } from '../../branches/projection/main-projections.repository.ts'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import { loadFileIndex, loadPageIndex } from '../../pages/revision-index.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { linkedContent, locationPresenter } from './present-locations.ts'
import * as repository from './references.repository.ts'

const nothing = { items: [], count: 0 }

export const linkFeature = feature<BaseContext>()(links, {
  listSpaceLinks: ({ params, query }, context) => listUsages(params, query, context),

  async listPageLinksInSpace({ params, query }, context) {
    const revision = await readableRevision(params.spaceId, context)
    const page = (await loadPageIndex(context.db, revision)).get(params.pageId)
    if (!page) throw new Failure('not_found', 'There is no such page')
    return listUsages(params, query, context)
  },

  async listSpacePageBacklinks({ params, query }, context) {
    const revision = await readableRevision(params.spaceId, context)
    const page = (await loadPageIndex(context.db, revision)).get(params.pageId)
    if (!page) throw new Failure('not_found', 'There is no such page')
    return listBacklinks({ ...params, targetKind: 'page', targetId: page.id }, query, context)
  },

  async listSpaceFileBacklinks({ params, query }, context) {
    const revision = await readableRevision(params.spaceId, context)
    const file = (await loadFileIndex(context.db, revision.filesRoot)).get(params.fileId)
    if (!file) throw new Failure('not_found', 'There is no such file')
    return listBacklinks({ ...params, targetKind: 'file', targetId: file.id }, query, context)
  },
})

async function readableRevision(spaceId: string, context: Context): Promise<RevisionRow> {
  const { space } = await readableSpace(context, spaceId)
  const revision = await revisions.find(context.db, space.revision)
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  return revision
}

async function listUsages(
  { spaceId, pageId }: { spaceId: string; pageId?: string },
  { status, ...request }: PageRequest & { status?: string | undefined },
  context: Context,
) {
  const readable = await readableSpace(context, spaceId)
  const cursorKey = context.cursorKey()
  const { revision, page, stats } = await atProjection(context.db, spaceId, async db => ({
    page: await repository.listReferences(db, { spaceId, pageId, status }, { ...request, cursorKey }),
    stats: await repository.countReferences(db, { spaceId, pageId }),
  }))
  const content = revision === undefined ? undefined : await linkedContent(context, revision)
  if (!content) return { ...nothing, stats: { total: 0, broken: { total: 0 } } }
  const present = await locationPresenter(context, readable, content)
  return { ...page, items: page.items.map(present.usage), stats }
}

type Target = Parameters<typeof repository.listReferringPages>[1]

async function listBacklinks(target: Target, request: PageRequest, context: Context) {
  const readable = await readableSpace(context, target.spaceId)
  const cursorKey = context.cursorKey()
  const { revision, page } = await atProjection(context.db, target.spaceId, async db => ({
    page: await repository.listReferringPages(db, target, { ...request, cursorKey }),
  }))
  const content = revision === undefined ? undefined : await linkedContent(context, revision)
  if (!content) return nothing
  const present = await locationPresenter(context, readable, content)
  return { ...page, items: page.items.map(({ pageId, locations: [first] }) => present.page(pageId, first)) }
}

/** Reads references together with the revision that they belong to, which may advance at any time. */
async function atProjection<Read extends object>(
  db: Db,
  spaceId: string,
  read: (db: Db) => Promise<Read>,
): Promise<Read & { revision: string | undefined }> {
  return db.transaction('REPEATABLE READ', async manager => {
    const tx = manager as Db
    return { revision: await projectedRevision(tx, spaceId), ...(await read(tx)) }
  })
}
