import { Failure } from '@recto/operation'

/** A place in the events of an organization: behind an event, which its hash names, too. */
export interface FeedPlace {
  sequence: number
  /** The first 16 hexadecimal digits of the hash; absent for the beginning. */
  hash?: string
}

const digits = 16

/** The cursor behind an event; `0` is the beginning. */
export function cursorOf({ sequence, hash }: { sequence: number; hash: Buffer }): string {
  return sequence === 0 ? '0' : `${sequence}-${hash.toString('hex').slice(0, digits)}`
}

/** The place that a cursor of valid form names. */
export function placeOf(cursor: string): FeedPlace {
  const [sequence = '', hash] = cursor.split('-')
  return { sequence: Number(sequence), ...(hash !== undefined && { hash }) }
}

/** Whether a place is that of an event. */
export function isAt(place: FeedPlace, event: { sequence: number; hash: Buffer }): boolean {
  return cursorOf(event) === `${place.sequence}${place.hash === undefined ? '' : `-${place.hash}`}`
}

/** The failure of a cursor whose event is not kept any more, or is another one since the record was restored from a backup. */
export function cursorGone(oldest: string): Failure {
  return new Failure('gone', `The events behind this cursor are not kept any more. The oldest cursor is ${oldest}`)
}
