import { createHash } from 'node:crypto'
import type { EventRow } from './event.entity.ts'

/** The hash before the first event of an organization. */
export const firstHash = Buffer.alloc(32)

/**
 * SHA-256 over the hash of the event before and the event as canonical JSON (RFC 8785 for the values that it has: keys are sorted). Whoever
 * changes, removes or inserts an event would have to change all that follow.
 */
export function chainHash(before: Buffer, event: Omit<EventRow, 'hash' | 'subjectIds'>): Buffer {
  const { organizationId, sequence, id, source, occurredAt, type, subject, revision, details } = event
  const { actorKind, actorId, operationId, requestId, client } = event
  const facts = [organizationId, sequence, id, source, occurredAt.toISOString(), type, subject, revision, details]
  const text = canonicalJson([...facts, actorKind, actorId, operationId, requestId, client])
  return createHash('sha256').update(before).update(text).digest()
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
    .join()}}`
}
