import type { Transaction } from '@recto/database'

/** The context of an event handler. */
export interface EventContext {
  /** The transaction in which the event is marked as processed. */
  tx: Transaction
}
