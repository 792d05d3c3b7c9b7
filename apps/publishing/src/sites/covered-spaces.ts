import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { liveStructure } from '../structure/shown-structure.rules.ts'
import { readableSpaces } from '../structure/spaces-of-sites.ts'
import type { Structure } from '../structure/structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'

/** Those of some spaces, by their ids, that the caller's token is not for: none where it is not limited. */
export type BeyondToken = (spaces: readonly string[]) => string[]

/** Asks which spaces of a site the caller's token is for: that of a site stands for the site, not for the content that it shows. */
export async function findBeyondToken(
  context: Pick<Context, 'actor' | 'content' | 'db'>,
  { organizationId, siteId }: { organizationId: string; siteId: string },
): Promise<BeyondToken> {
  if (!context.actor.limitedTo) return () => []
  const { siteSpaces } = await structures.load(context.db, siteId)
  const ids = siteSpaces.map(({ spaceId }) => spaceId)
  const covered = await readableSpaces(context, organizationId, ids)
  return spaces => spaces.filter(id => !covered.has(id))
}

/** The spaces that visitors of a site see and the caller's token is not for. */
export function shownBeyond(isBeyond: BeyondToken, structure: Structure): string[] {
  return isBeyond(liveStructure(structure).siteSpaces.map(({ spaceId }) => spaceId))
}

/** Throws `forbidden`, naming it, for a space that the caller's token is not for, and that would be shown to more people. */
export function requireNoneBeyond([space]: readonly string[]): void {
  if (space !== undefined)
    throw new Failure(
      'forbidden',
      `The token is limited to some resources: what shows the space ${space} to more people needs a token for that space, too`,
    )
}
