import type { Actor } from '@recto/actor'

/** What every event of content says: where it happened, who did it, and when. */
export function stamp(
  { userId }: Actor,
  { organizationId }: { organizationId: string },
): { organization: string; by: string; at: string } {
  return { organization: organizationId, by: userId, at: new Date().toISOString() }
}
