import { merging } from '@recto/contracts-content'
import { pageInMemory } from '@recto/database'
import { feature, omitUndefined, type Input } from '@recto/operation'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import type { BaseContext } from '../shared/context.ts'
import type { Resolution } from './conflict.ts'
import { mergeIntoMain } from './merge-into-main.ts'
import { mergeRevisions } from './merge-revisions.ts'
import { revisionsOf } from './merged-revisions.ts'
import { presentConflict } from './present-conflict.ts'
import { resolveConflicts, updateFromMain } from './update-from-main.ts'

export const mergingFeature = feature<BaseContext>()(merging, {
  mergeChangeRequest: ({ params }, context) => mergeIntoMain(context, params),

  updateChangeRequest: ({ params }, context) => updateFromMain(context, params),

  async listChangeRequestConflicts({ params, query }, context) {
    const readable = await readableChangeRequest(context, params)
    const isMerged = readable.changeRequest.status === 'merged'
    const { conflicts } = isMerged
      ? { conflicts: [] }
      : await mergeRevisions(context.db, await revisionsOf(context.db, readable))
    const items = conflicts.map((conflict, at) => ({ conflict, key: String(at).padStart(9, '0') }))
    const page = pageInMemory(items, ({ key }) => [key], { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(({ conflict }) => presentConflict(conflict)) }
  },

  resolveChangeRequestConflicts({ params, body: { resolutions, others } }, context) {
    const side = others === 'change-request' ? 'changeRequest' : others
    return resolveConflicts(context, params, { resolutions: resolutions.map(resolutionOf), others: side })
  },
})

type ResolutionInput = Input<typeof merging.resolveChangeRequestConflicts>['body']['resolutions'][number]

/** A resolution without the fields that were not given. */
function resolutionOf(fields: ResolutionInput): Resolution {
  return omitUndefined(fields) as Resolution
}
