import type { Actor } from '@recto/actor'

/** The fields of every event of content: its organization, the user who caused it, and the time (ISO 8601). */
export function eventMetadata(
  { userId }: Pick<Actor, 'userId'>,
  { organizationId }: { organizationId: string },
): { organization: string; by: string; at: string } {
  return { organization: organizationId, by: userId, at: new Date().toISOString() }
}
