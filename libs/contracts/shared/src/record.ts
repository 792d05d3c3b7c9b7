import { organizationsOf, type Actor } from '@recto/actor'
import { actorOf, events, type Event, type Operation, type RecordEntry } from '@recto/operation'
import { z } from 'zod'
import type { EndpointAccess } from './access.ts'
import { Id, Timestamp } from './conventions.ts'
import { recordingServices, subjectKinds } from './record-type.ts'
import {
  recordTypesBySource,
  type CommonRecordTypeName,
  type recordTypes,
  type RecordTypeName,
} from './record-types.ts'

/** A change of an organization, on its way from the service that made it to the record. */
export const RecordedChange = z.object({
  id: z.uuid(),
  number: z.int().describe('1 for the first change of the organization that the service has recorded; without gaps'),
  time: Timestamp,
  type: z.string(),
  organization: Id,
  subject: z.partialRecord(z.enum(subjectKinds), Id),
  revision: z.object({ before: Id.nullable(), after: Id.nullable() }).optional(),
  details: z.record(z.string(), z.json()).optional(),
  actor: z.object({ kind: z.string(), id: Id }).optional(),
  operationId: z.string().optional(),
  requestId: z.string().optional(),
  client: z
    .object({ address: z.string().optional(), userAgent: z.string().optional(), token: Id.optional() })
    .optional(),
})

const recordEvent = <const Service extends (typeof recordingServices)[number]>(service: Service) =>
  ({
    subject: `events.${service}.recorded`,
    summary: `A change that ${service} made is recorded`,
    payload: RecordedChange,
    consumers: ['events'],
  }) as const

/** The events that carry recorded changes to the service of the record. */
export const recordEvents = events({
  identityRecorded: recordEvent('identity'),
  contentRecorded: recordEvent('content'),
  publishingRecorded: recordEvent('publishing'),
  openApiSpecsRecorded: recordEvent('openapi-specs'),
  gitWorkerRecorded: recordEvent('git-worker'),
  eventsRecorded: recordEvent('events'),
})

const carriers = new Map(
  recordingServices.flatMap(service =>
    Object.keys(recordTypesBySource[service]).map(type => [type, recordEventOf(service)] as const),
  ),
)

function recordEventOf(service: RecordingService) {
  const event = Object.values(recordEvents).find(({ subject }) => subject === `events.${service}.recorded`)
  if (!event) throw new Error(`There is no event of ${service}`)
  return event
}

type About<Type extends keyof typeof recordTypes> = (typeof recordTypes)[Type]['about'][number]
type RecordingService = (typeof recordingServices)[number]
type SubjectKind = (typeof subjectKinds)[number]

/** The ids that a change of a type has, those that it may have, and facts about it. */
export type RecordFacts<Type extends keyof typeof recordTypes> = { organization: string } & Record<
  About<Type>,
  string
> &
  Partial<Record<Exclude<SubjectKind, About<Type>>, string>> &
  Pick<RecordEntry, 'revision' | 'details' | 'actor'>

/** A change of a type, for `tx.record`: `recorded('space.updated', { organization, space })`. */
export function recorded<Type extends RecordTypeName>(type: Type, facts: RecordFacts<Type>): RecordEntry {
  const event = carriers.get(type)
  if (!event) throw new Error(`There is no type ${type}`)
  return entryOf(event, type, facts)
}

/** A change of a type that each service makes, for `tx.record` of this one. */
export function recordedBy<Type extends CommonRecordTypeName>(
  service: RecordingService,
  type: Type,
  facts: RecordFacts<Type>,
): RecordEntry {
  return entryOf(recordEventOf(service), type, facts)
}

function entryOf<Type extends keyof typeof recordTypes>(
  event: Event,
  type: Type,
  facts: RecordFacts<Type>,
): RecordEntry {
  const { organization, revision, details, actor, ...subject } = facts
  return { event, type, organization, subject: subject as Record<string, string>, revision, details, actor }
}

/** An operation that was refused to its caller. */
interface RefusedOperation {
  operationId: string
  row: Operation
  params: Readonly<Record<string, string>>
  actor: Actor
}

/**
 * Returns a function that tells how a service records that an operation was refused: one for admins of the organization of its path, to
 * somebody who belongs to it. Others are told that there is nothing, and are not recorded.
 */
export function refusedToMember(service: RecordingService) {
  return ({ operationId, row, params, actor }: RefusedOperation): RecordEntry | undefined => {
    const { organizationId: organization } = params
    const isForAdmins = (row.access as EndpointAccess | undefined)?.may === 'admin'
    if (!isForAdmins || actor.visitor || organization === undefined) return undefined
    if (!organizationsOf(actor).includes(organization)) return undefined
    const details = { operation: operationId }
    return recordedBy(service, 'access.refused', { organization, details, actor: actorOf(actor) })
  }
}
