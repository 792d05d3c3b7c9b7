import { audit } from '@recto/contracts-events'
import { recordTypes, type RecordedType } from '@recto/contracts-shared'
import { Failure, feature } from '@recto/operation'
import { requireAdmin } from '../access/require-admin.ts'
import { cursorGone, cursorOf, isAt, placeOf } from '../record/cursor.rules.ts'
import type { EventRow } from '../record/event.entity.ts'
import * as events from '../record/events.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import * as repository from '../record/event-search.repository.ts'
import { causesOf } from './cause.rules.ts'
import { presentAuditEvent, presentAuditEventDetails, type Names } from './present-audit-event.ts'

export const auditFeature = feature<BaseContext>()(audit, {
  async listOrganizationAuditEvents({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const { page, limit, ...filters } = query
    const request = { page, limit, cursorKey: context.cursorKey() }
    const listing = await repository.list(context.db, { organizationId, ...filters }, request)
    const names = await namesOf(listing.items, organizationId, context)
    return { ...listing, items: listing.items.map(event => presentAuditEvent(event, { ...context, names })) }
  },

  async getOrganizationAuditEvent({ params: { organizationId, auditEventId } }, context) {
    requireAdmin(context, organizationId)
    const event = await repository.find(context.db, organizationId, auditEventId)
    if (!event) throw new Failure('not_found', 'There is no such event')
    const names = await namesOf([event], organizationId, context)
    const causes = await repository.findEarlier(context.db, organizationId, causesOf([event]))
    return presentAuditEventDetails(event, { ...context, names, causes })
  },

  async exportOrganizationAuditEvents({ params: { organizationId }, query: { after, limit, ...filters } }, context) {
    requireAdmin(context, organizationId)
    const from = await sequenceBehind(context, organizationId, after)
    const rows = await repository.listFrom(context.db, { organizationId, ...filters }, { after: from, limit })
    const names = await namesOf(rows, organizationId, context)
    const causes = await repository.findEarlier(context.db, organizationId, causesOf(rows))
    const lines = rows.map(event => ({
      cursor: cursorOf(event),
      ...presentAuditEventDetails(event, { ...context, names, causes }),
    }))
    return lines.map(line => `${JSON.stringify(line)}\n`).join('')
  },

  listOrganizationAuditEventActions({ params: { organizationId } }, context) {
    requireAdmin(context, organizationId)
    const types = Object.entries(recordTypes) as [RecordedType, { summary: string }][]
    const items = types.map(([id, { summary }]) => ({ object: 'audit-event-action' as const, id, label: summary }))
    return Promise.resolve({ items })
  },
})

/** The sequence of the line that an export continues behind; throws `gone` where that is not kept any more. */
async function sequenceBehind({ db }: Context, organization: string, after: string | undefined): Promise<number> {
  const { last, deletedUpTo, deletedHash } = await events.findSequence(db, organization)
  const oldest = { sequence: deletedUpTo, hash: deletedHash }
  if (after === undefined) return deletedUpTo
  const place = placeOf(after)
  if (place.sequence > last) throw cursorGone(cursorOf(oldest))
  const event = place.sequence <= deletedUpTo ? oldest : await events.findBySequence(db, organization, place.sequence)
  if (!event || !isAt(place, event)) throw cursorGone(cursorOf(oldest))
  return place.sequence
}

/** The names of the users who did these, as far as they still belong to the organization. */
async function namesOf(rows: readonly EventRow[], organization: string, { actor, people }: Context): Promise<Names> {
  const users = [...new Set(rows.map(({ actorId }) => actorId).filter(id => id !== null))].slice(0, 1_000)
  if (users.length === 0) return new Map()
  const described = await people.describePeople({ body: { actor, organization, users, teams: [] } })
  return new Map(described.users.map(({ id, displayName }) => [id, displayName]))
}
