import { editing } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { changeRequestWriter } from './change-request-writer.ts'
import { presentOne } from '../change-requests/present-change-request.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { mainContentWriter } from './content-writer.ts'
import type { BaseContext } from '../shared/context.ts'
import { changeContent } from './change-content.ts'

export const editingFeature = feature<BaseContext>()(editing, {
  updateContent: ({ params, body }, context) =>
    changeContent(mainContentWriter, { params, changes: body.changes }, context),

  async updateContentInChangeRequest({ params, query, body }, context) {
    const changesResult = await changeContent(changeRequestWriter, { params, changes: body.changes }, context)
    const changeRequest = await presentOne(context, await readableChangeRequest(context, params))
    const { revision: _revision, ...result } = changesResult
    return query.compat === 'true' ? changeRequest : { changeRequest, ...result }
  },
})
