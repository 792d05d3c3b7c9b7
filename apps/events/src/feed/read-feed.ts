import { requireMember } from '@recto/actor'
import type { RecordedType } from '@recto/contracts-shared'
import { visibleEvents } from '../access/read-access.ts'
import { cursorGone, cursorOf, isAt, placeOf } from '../record/cursor.rules.ts'
import type { EventRow, EventSequenceRow } from '../record/event.entity.ts'
import * as repository from '../record/events.repository.ts'
import type { Context } from '../shared/context.ts'

/** Events that one look at the feed reads at most, to find those that the caller may see. */
const maxRead = 1_000

/** The part of a feed that a request asks for. */
export interface FeedRequest {
  organization: string
  types?: readonly RecordedType[] | undefined
  space?: string | undefined
  site?: string | undefined
}

/** Where a feed continues. */
export interface FeedPosition {
  sequence: number
  cursor: string
}

/** Events of the feed, and where it continues. */
export interface FeedPart extends FeedPosition {
  events: EventRow[]
  /** Whether all events that there are have been read. */
  isAtEnd: boolean
}

/**
 * The position that a cursor names. Throws `gone` when its event is not kept any more, or is another one since a restore; without a
 * cursor the feed begins at the oldest event, and with `latest` behind the newest.
 */
export async function openFeed(
  { db, actor, feedRetention }: Pick<Context, 'db' | 'actor' | 'feedRetention'>,
  organization: string,
  after: string | undefined,
): Promise<FeedPosition> {
  requireMember(actor, organization)
  const row = await repository.findSequence(db, organization)
  const newest = { sequence: row.last, hash: row.lastHash }
  if (after === 'latest') return { sequence: newest.sequence, cursor: cursorOf(newest) }
  const first = await repository.beginningSince(db, organization, new Date(Date.now() - feedRetention))
  const oldest = await positionBefore(db, row, first)
  if (after === undefined) return oldest
  const place = placeOf(after)
  // The event before the oldest may be gone; behind it nothing is missed.
  if (after === oldest.cursor) return oldest
  const isKept = place.sequence >= oldest.sequence && place.sequence <= newest.sequence
  const event = isKept ? await repository.findBySequence(db, organization, place.sequence) : undefined
  const there = event ?? (place.sequence === newest.sequence ? newest : undefined)
  if (!there || !isAt(place, there)) throw cursorGone(oldest.cursor)
  return { sequence: place.sequence, cursor: after }
}

/** The position before an event, or behind the newest one without it. */
async function positionBefore(
  db: Context['db'],
  { organizationId, last, lastHash, deletedUpTo, deletedHash }: EventSequenceRow,
  first: number | undefined,
): Promise<FeedPosition> {
  const sequence = first === undefined ? last : first - 1
  if (sequence === 0) return { sequence, cursor: '0' }
  const newest = { sequence: last, hash: lastHash }
  const before = sequence === last ? newest : await repository.findBySequence(db, organizationId, sequence)
  if (before) return { sequence, cursor: cursorOf(before) }
  return { sequence: deletedUpTo, cursor: cursorOf({ sequence: deletedUpTo, hash: deletedHash }) }
}

/** Reads the events behind a position that the caller may see now, at most `limit`. */
export async function readFeed(
  context: Context,
  request: FeedRequest,
  { from, limit }: { from: FeedPosition; limit: number },
): Promise<FeedPart> {
  const { organization, types, space, site } = request
  const subjects = [space, site].filter(id => id !== undefined)
  const { last, lastHash } = await repository.findSequence(context.db, organization)
  let position = from
  for (let count = 0; ;) {
    const size = Math.min(Math.max(limit * 2, 100), maxRead - count)
    const filter = { organizationId: organization, after: position.sequence, types, subjects }
    const rows = await repository.listAfter(context.db, filter, size)
    const visible = (await visibleEvents(rows, { actor: context.actor, organization }, context)).slice(0, limit)
    const isFull = visible.length === limit
    const end = isFull ? visible.at(-1) : rows.at(-1)
    if (end) position = { sequence: end.sequence, cursor: cursorOf(end) }
    count += rows.length
    const isRead = rows.length < size
    // Events that the filter leaves out are read, too: the next request begins behind them.
    if (!isFull && isRead && last > position.sequence)
      position = { sequence: last, cursor: cursorOf({ sequence: last, hash: lastHash }) }
    if (visible.length > 0 || isRead || count >= maxRead)
      return { ...position, events: visible, isAtEnd: isRead && !isFull }
  }
}
