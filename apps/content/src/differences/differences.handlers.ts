import { differences as rows } from '@recto/contracts-content'
import { feature, fromView, type Input } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { changeRequestSides, revisionSides } from './open-sides.ts'
import { listDifferences, readPageDifference } from './present-differences.ts'

export const differencesFeature = feature<BaseContext>()(rows, {
  listChangeRequestDifferences: fromView(
    ({ params }: Input<typeof rows.listChangeRequestDifferences>, context: Context) =>
      changeRequestSides(params, context),
    (sides, { query }, context) => listDifferences(sides, query, context),
  ),

  getChangeRequestPageDifference: fromView(
    ({ params }: Input<typeof rows.getChangeRequestPageDifference>, context: Context) =>
      changeRequestSides(params, context),
    (sides, { params, query }, context) => readPageDifference(sides, { ...query, ...params }, context),
  ),

  listRevisionDifferences: fromView(
    ({ params, query }: Input<typeof rows.listRevisionDifferences>, context: Context) =>
      revisionSides({ ...params, ...query }, context),
    (sides, { query }, context) => listDifferences(sides, query, context),
  ),

  getRevisionPageDifference: fromView(
    ({ params, query }: Input<typeof rows.getRevisionPageDifference>, context: Context) =>
      revisionSides({ ...params, ...query }, context),
    (sides, { params, query }, context) => readPageDifference(sides, { ...query, ...params }, context),
  ),
})
