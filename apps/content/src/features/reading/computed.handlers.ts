import { computed } from '@recto/contracts'
import { Failure, feature } from '@recto/operation'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import type { BaseContext, Context } from '../../shared/context.ts'

export const computedFeature = feature<BaseContext>()(computed, {
  getComputedDocument: ({ params, body }, context) => refuse(params.spaceId, body, context),
  getComputedRevision: ({ params, body }, context) => refuse(params.spaceId, body, context),
})

interface Request {
  source: { dependencies: { spec: { ref: { spec: string } } } }
}

/** There are no specifications yet. */
async function refuse(spaceId: string, { source }: Request, context: Context): Promise<never> {
  await readableSpace(context, spaceId)
  const { spec } = source.dependencies.spec.ref
  throw new Failure('not_found', `There is no specification ${spec}`)
}
