import { editing } from '@recto/contracts'
import { feature } from '@recto/operation'
import { mainContentWriter } from '../../branches/writable-branch.ts'
import type { BaseContext } from '../../shared/context.ts'
import { changeContent } from './change-content.ts'

export const editingFeature = feature<BaseContext>()(editing, {
  updateContent: ({ params, body }, context) =>
    changeContent(mainContentWriter, { params, changes: body.changes }, context),
})
