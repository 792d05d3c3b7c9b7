import type { gitContentCalls, GitOutcome } from '@recto/contracts-git-worker-bus'
import type { Transaction } from '@recto/database'
import { actorOf, currentOrigin, Failure, type Input, runWithOrigin } from '@recto/operation'
import type { z } from 'zod'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import * as work from './repository-work.repository.ts'

/** The request to apply an operation. */
export type ApplyRequest = Input<typeof gitContentCalls.applyGitOperation>['body']

/** Dependencies of applying an operation. */
export type ApplyContext = Pick<BaseContext, 'db' | 'blobs' | 'transaction'>

/** The result of an operation. */
export type Outcome = z.output<typeof GitOutcome>

/** The changes that an operation makes under the lock of its space, once. */
type Change = (tx: Transaction, space: SpaceRow) => Promise<Outcome>

/** Makes the changes of an operation and records its outcome in one transaction, unless an outcome is recorded already. */
export async function applyOnce(request: ApplyRequest, context: ApplyContext, change: Change): Promise<Outcome> {
  // A job of git-worker has no caller: it is work of who asked for it.
  const origin = { actor: actorOf({ userId: request.createdBy }), ...currentOrigin() }
  const apply = () =>
    context.transaction(async tx => {
      const { outcome } = await work.hold(tx, request)
      if (outcome) return outcome
      const space = await spaces.lock(tx, request.spaceId)
      if (!space) throw new Failure('not_found', 'There is no such space')
      const made = await change(tx, space)
      await work.finish(tx, request, made)
      const discarded = request.discarded.map(hash => ({ kind: 'blob' as const, hash }))
      await markGarbage(tx, [{ kind: 'blob', hash: request.manifest }, ...discarded], new Date())
      return made
    })
  return runWithOrigin(origin, apply)
}
