import { createHash } from 'node:crypto'
import type { Visitor } from '@recto/actor'
import type { Audience } from '@recto/http'

/**
 * Whose replies a visitor may share, as far as the gateway knows it from the token alone:
 *
 * | token                                    | audience                                                             |
 * | ---------------------------------------- | -------------------------------------------------------------------- |
 * | of a published site, by any way into it  | all with the same site, version, spaces, claims, view of git, agents |
 * | of a preview, or of one revision         | the same, apart from those who do not preview, or preview no drafts  |
 * | of a change request                      | none: which revision it shows moves, and only content knows it       |
 * | of a member who reads comments           | none: what they may read is known when they read it                  |
 *
 * The start of the token's window is in it, because it decides which revisions may be read, and the version, because texts name
 * addresses of the site. The key of a share link is not in the token and changes no reply.
 */
export function audienceOf(visitor: Visitor): Audience | undefined {
  if (visitor.changeRequest !== undefined || visitor.member !== undefined) return undefined
  const { organization, site, version, since, spaces, claims, revision } = visitor
  const { showsGit, excludesAgents, previews, showsDrafts } = visitor
  const flags = [showsGit, excludesAgents, previews, showsDrafts].map(flag => flag === true)
  const parts = [organization, site, version, since, spaces, claims, flags, revision ?? null]
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'), resources: spaces }
}
