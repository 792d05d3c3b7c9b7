import { editing } from '@recto/contracts-content'
import { feature, type Output } from '@recto/operation'
import { changeRequestWriter } from './change-request-writer.ts'
import { presentOne } from '../change-requests/present-change-request.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { mainContentWriter } from './content-writer.ts'
import type { AffectedPage } from './affected-pages.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { BaseContext } from '../shared/context.ts'
import { changeContent } from './change-content.ts'

type Written = Extract<Output<typeof editing.updateContentInChangeRequest>, { changes: unknown }>['changes'][number]

/** A page that a batch affected, with where it is read. */
function presentAffected(change: AffectedPage, { pages, base }: { pages: PageIndex; base: string }): Written {
  const { page: id, object } = change
  if (object === 'deleted_page') return { object, page: id }
  const { title = '' } = pages.get(id) ?? {}
  const page = { object: 'page' as const, id, title, path: pages.pathOf(id), urls: { location: `${base}/${id}` } }
  return object === 'updated_page'
    ? { object, page }
    : { object, page, ...(change.ref !== undefined && { ref: change.ref }) }
}

export const editingFeature = feature<BaseContext>()(editing, {
  async updateContent({ params, body }, context) {
    const { revision, changes, insertedFiles } = await changeContent(
      mainContentWriter,
      { params, changes: body.changes },
      context,
    )
    return { revision, changes, insertedFiles }
  },

  async updateContentInChangeRequest({ params, query, body }, context) {
    const changesResult = await changeContent(changeRequestWriter, { params, changes: body.changes }, context)
    const changeRequest = await presentOne(context, await readableChangeRequest(context, params))
    if (query.compat === 'true') return changeRequest
    const { affected, pages, insertedFiles } = changesResult
    const base = `${changeRequest.urls.location}/content/page`
    const changes = affected.map(change => presentAffected(change, { pages, base }))
    return { changeRequest, changes, insertedFiles }
  },
})
