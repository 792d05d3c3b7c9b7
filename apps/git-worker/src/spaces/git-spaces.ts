import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { type Input, type Output, toFailure } from '@recto/operation'
import type { Context, ContentCalls } from '../shared/context.ts'

/** A space as read from content; it may have changed since. */
export type GitSpace = Output<typeof gitContentCalls.findGitSpace>

type Use = NonNullable<Input<typeof gitContentCalls.findGitSpace>['body']['use']>

/** Returns a space on which the caller may use git in this way; else throws the failure of content. */
export async function requireGitSpace(
  spaceId: string,
  use: Use,
  { content, actor }: Pick<Context, 'content' | 'actor'>,
): Promise<GitSpace> {
  return content.findGitSpace({ body: { spaceId, actor, use } })
}

/** Returns a space; undefined when it is purged. */
export async function findGitSpace(content: ContentCalls, spaceId: string): Promise<GitSpace | undefined> {
  try {
    return await content.findGitSpace({ body: { spaceId } })
  } catch (error) {
    if (toFailure(error).code === 'not_found') return undefined
    throw error
  }
}
