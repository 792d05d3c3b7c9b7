import type { Event } from './messages.ts'
import type { RecordedActor } from './origin.ts'

/** A change to be put into the record of an organization, in the transaction that makes it. */
export interface RecordEntry {
  /** The event that carries it to the service of the record: its subject names the service that made the change. */
  event: Event
  type: string
  organization: string
  /** Ids of what changed, by their kinds. */
  subject: Readonly<Record<string, string>>
  /** Revisions of the content before and after the change. */
  revision?: { before: string | null; after: string | null } | undefined
  /** Further facts: names of fields and ids, never content or secrets. */
  details?: Readonly<Record<string, unknown>> | undefined
  /** Who did it, where that is not the caller of the request. */
  actor?: RecordedActor | undefined
}

/** Types of changes that a row records, the usual one first, or why it records nothing; `reads` for one that only reads, though it is no GET. */
export type Records = readonly string[] | { nothing: string; reads?: true }
