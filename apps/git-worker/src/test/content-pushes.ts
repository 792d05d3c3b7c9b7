import type { Actor } from '@recto/actor'
import type { gitContentCalls, pushRefusals } from '@recto/contracts-git-worker-bus'
import { Failure, type Input } from '@recto/operation'

type ApplyWork = Input<typeof gitContentCalls.applyGitOperation>['body']['work']
type Push = Pick<Extract<ApplyWork, { kind: 'push' }>, 'base' | 'force' | 'subject' | 'changeRequest'>

/** The change request that a push goes into, a new one if it has a subject. */
export function changeRequestOf({ subject, changeRequest }: Push): string | undefined {
  return changeRequest ?? (subject === undefined ? undefined : `change request of ${subject}`)
}

/** Whether an import or a push leaves main content as it is. */
export function isBesideMain(work: Exclude<ApplyWork, { kind: 'export' }>): boolean {
  return work.kind === 'import' ? work.isStandalone : changeRequestOf(work) !== undefined
}

/** The reason why a push is not applied; undefined when it is. */
export function refusalOf(
  { revision }: { revision: string },
  push: Push,
): { code: (typeof pushRefusals)[number]; message: string } | undefined {
  const isOfMain = push.force || push.base === undefined || push.base === revision
  return isOfMain ? undefined : { code: 'content_moved', message: 'The content has changed' }
}

/** Throws as content does for a push that is not accepted. */
export function requirePush(
  space: { revision: string },
  upload: { createdBy: string } | undefined,
  push: Push & { actor: Actor },
): void {
  if (refusalOf(space, push)) throw new Failure('conflict', 'The content has changed')
  if (upload?.createdBy !== push.actor.userId) throw new Failure('not_found', 'There is no such upload')
}
