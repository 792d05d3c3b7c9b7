import { createId } from '@recto/operation'
import type { SpecError, SpecRow } from './spec.entity.ts'
import { storableText } from './storable-text.rules.ts'

/** Attempts at one processing, of which each was interrupted. */
export const maxAttempts = 3
/** Milliseconds without a sign of life after which another process takes over. */
export const leaseLength = 20_000
const minute = 60_000
/** Errors of a specification, and characters of each, that are kept. */
const maxErrors = 100
const maxMessageLength = 1_000

/** Where a specification comes from; exactly one of both. */
export interface Source {
  url?: string | undefined
  text?: string | undefined
}

/** A specification that was not processed yet. */
export function newSpec(organizationId: string, slug: string, source: Source): SpecRow {
  const now = new Date()
  return {
    id: createId(),
    organizationId,
    slug,
    visibility: 'private' as const,
    lastVersion: null,
    processedAt: null,
    errorCode: null,
    errors: [],
    errorCount: 0,
    sourceVersion: 0,
    ...fromSource(source, now),
    createdAt: now,
  }
}

/** The changes of a specification that gets a source: it is processed at once. The last good version stays. */
export function fromSource({ url }: Source, now: Date) {
  return { sourceUrl: url ?? null, etag: null, lastModified: null, failures: 0, ...dueAt(now), updatedAt: now }
}

/** The changes of a specification that is to be processed at a time: whoever works on it loses the lease, and their result is not written. */
export function dueAt(time: Date) {
  return { state: 'pending' as const, attempts: 0, dueAt: time, lease: null, heartbeatAt: null }
}

/** How processing ended. `unchanged` is a source that the server says, or its content shows, to be the one of the last version. */
export type Outcome =
  | { kind: 'version'; version: string; validators: Validators }
  | { kind: 'unchanged'; validators: Validators }
  | { kind: 'failure'; code: NonNullable<SpecRow['errorCode']>; errors: SpecError[] }

/** Validators of a source, by which it is asked for only if it changed (RFC 9110). */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** When a source is polled next: after the interval give or take a tenth, so that polls spread out; sooner after a failure to fetch it, then later and later. */
export function nextPoll({
  failures,
  interval,
  random,
}: {
  failures: number
  interval: number
  random: number
}): number {
  const base = failures === 0 ? interval : Math.min(interval, 5 * minute * 2 ** (failures - 1))
  return Math.round(base * (0.9 + 0.2 * random))
}

/** Messages quote what strangers wrote. */
function storableError({ message, ...error }: SpecError): SpecError {
  return { ...error, message: storableText(message, maxMessageLength) }
}

/** How many errors the last processing had: the stored count says it only where not all of them are kept. */
export function errorCountOf({ errors, errorCount }: Pick<SpecRow, 'errors' | 'errorCount'>): number {
  return errors.length < maxErrors ? errors.length : Math.max(errorCount, errors.length)
}

/** The changes of a specification after processing. A failure keeps the last good version. */
export function afterProcessing(
  spec: SpecRow,
  outcome: Outcome,
  { now, interval, random }: { now: Date; interval: number; random: number },
): Partial<SpecRow> {
  const isFetchFailure = outcome.kind === 'failure' && outcome.code !== 'PARSE_ERROR'
  const failures = isFetchFailure ? spec.failures + 1 : 0
  const next = spec.sourceUrl === null ? null : new Date(now.getTime() + nextPoll({ failures, interval, random }))
  const free = { attempts: 0, lease: null, heartbeatAt: null }
  const ended = { state: 'complete' as const, ...free, dueAt: next, failures, processedAt: now }
  if (outcome.kind === 'failure')
    return {
      ...ended,
      errorCode: outcome.code,
      errors: outcome.errors.slice(0, maxErrors).map(storableError),
      errorCount: outcome.errors.length,
    }
  const good = { ...ended, ...outcome.validators, errorCode: null, errors: [], errorCount: 0 }
  return outcome.kind === 'version' ? { ...good, lastVersion: outcome.version, updatedAt: now } : good
}
