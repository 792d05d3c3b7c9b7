import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { Failure, type Input, type Output } from '@recto/operation'
import { baseRevision } from '../change-requests/change-requests.rules.ts'
import { writableChangeRequest } from '../editing/change-request-writer.ts'
import { writableSpace } from '../editing/content-writer.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { requireUpload } from '../uploads/uploads.rules.ts'
import { type ReplacedContent, revisionToReplace } from './push-base.rules.ts'
import { contentMoved, newChangeRequestContent } from './push-content.ts'

type Request = Input<typeof gitContentCalls.acceptPush>['body']
type Reply = Output<typeof gitContentCalls.acceptPush>

/** The content that a push replaces, in a space that the caller may edit now. */
interface PushTarget {
  space: SpaceRow
  content: ReplacedContent
  changeRequest?: string
}

/** Checks that a user may push an upload to a space now, by the rules of edits, and keeps the upload for the push. */
export async function acceptPush({ actor, ...request }: Request, context: BaseContext): Promise<Reply> {
  const target = await targetOf(request, { ...context, actor })
  if (revisionToReplace(target.content, request) === undefined) throw new Failure('conflict', contentMoved)
  const { organizationId } = target.space
  const { upload } = request
  await context.transaction(async tx => {
    const row = await uploads.lock(tx, upload)
    requireUpload(row, { userId: actor.userId, organizationId, now: new Date() })
    await uploads.retain(tx, upload)
  })
  return { organizationId, ...(target.changeRequest !== undefined && { changeRequest: target.changeRequest }) }
}

/** Throws `not_found`, `forbidden`, or `conflict` when the content takes no changes. */
async function targetOf(request: Omit<Request, 'actor'>, context: Context): Promise<PushTarget> {
  const { spaceId, changeRequest: changeRequestId, subject, base } = request
  if (changeRequestId !== undefined) {
    const { space, changeRequest } = await writableChangeRequest({ spaceId, changeRequestId }, context)
    const { id, revision } = changeRequest
    const mainAtUpdate = baseRevision(changeRequest)
    return { space, content: { kind: 'change-request', revision, mainAtUpdate }, changeRequest: id }
  }
  if (subject === undefined) {
    const space = await writableSpace(spaceId, context)
    return { space, content: { kind: 'main', main: space.revision } }
  }
  const readable = await readableSpace(context, spaceId)
  requireWrite(readable, spaceCan.edit)
  const { space } = readable
  return { space, content: await newChangeRequestContent(context.db, space, base) }
}
