import { recordTypes, type RecordedType } from '@recto/contracts-shared'
import type { EventRow } from '../record/event.entity.ts'

/** Names of users by their ids. */
export type Names = ReadonlyMap<string, string>

interface Presenting {
  publicUrl: string
  names: Names
}

interface PresentingDetails extends Presenting {
  /** Ids of the events that caused others, by the sequences of those. */
  causes: ReadonlyMap<number, string>
}

/** An event of the record as the audit log lists it. */
export function presentAuditEvent(event: EventRow, { publicUrl, names }: Presenting) {
  const { id, occurredAt, type, organizationId } = event
  return {
    object: 'audit-event' as const,
    id,
    occurredAt: occurredAt.toISOString(),
    action: type,
    actor: actorOf(event, names),
    source: sourceOf(event),
    target: targetOf(event),
    urls: { location: `${publicUrl}/v1/orgs/${organizationId}/audit-events/${id}` },
  }
}

/** The same with all facts. */
export function presentAuditEventDetails(event: EventRow, presenting: PresentingDetails) {
  const { sequence, subject, revision, details, client, operationId, requestId, hash } = event
  const cause = presenting.causes.get(sequence)
  return {
    ...presentAuditEvent(event, presenting),
    ...(operationId !== null && { executionId: operationId }),
    ...(requestId !== null && { correlationId: requestId }),
    ...(cause !== undefined && { causedByEventId: cause }),
    schemaVersion: 1,
    payload: {
      sequence,
      subject,
      ...(revision && { revision }),
      ...(details && { details: details as Record<string, never> }),
      ...(client && { client }),
      hash: hash.toString('hex'),
    },
  }
}

function actorOf({ actorKind, actorId, source }: EventRow, names: Names) {
  if (actorKind !== 'user' || actorId === null) return { type: 'system' as const, id: source }
  const label = names.get(actorId)
  return { type: 'user' as const, id: actorId, ...(label !== undefined && { label }) }
}

/** Operations that are webhooks of others. */
const webhooks = ['receiveGitPush']

function sourceOf({ operationId }: EventRow) {
  if (operationId === null) return 'workflow' as const
  return webhooks.includes(operationId) ? ('webhook' as const) : ('api' as const)
}

/** The resource that the type is about in the narrowest sense; the organization where it is about no other. */
function targetOf({ type, subject, organizationId }: EventRow) {
  const about: readonly string[] = recordTypes[type as RecordedType]?.about ?? Object.keys(subject)
  const kind = about.findLast(each => subject[each] !== undefined)
  const id = kind === undefined ? undefined : subject[kind]
  if (kind === undefined || id === undefined) return { type: 'organization', id: organizationId }
  return { type: kind.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`), id }
}
