import { events, type RecordEntry } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from './conventions.ts'
import {
  recordingServices,
  recordTypesBySource,
  subjectKinds,
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

const recordedBy = <const Service extends (typeof recordingServices)[number]>(service: Service) =>
  ({
    subject: `events.${service}.recorded`,
    summary: `A change that ${service} made is recorded`,
    payload: RecordedChange,
    consumers: ['events'],
  }) as const

/** The events that carry recorded changes to the service of the record. */
export const recordEvents = events({
  identityRecorded: recordedBy('identity'),
  contentRecorded: recordedBy('content'),
  publishingRecorded: recordedBy('publishing'),
  openApiSpecsRecorded: recordedBy('openapi-specs'),
  gitWorkerRecorded: recordedBy('git-worker'),
  eventsRecorded: recordedBy('events'),
})

const carriers = new Map(
  recordingServices.flatMap(service =>
    Object.keys(recordTypesBySource[service]).map(type => [type, recordEventOf(service)] as const),
  ),
)

function recordEventOf(service: (typeof recordingServices)[number]) {
  const event = Object.values(recordEvents).find(({ subject }) => subject === `events.${service}.recorded`)
  if (!event) throw new Error(`There is no event of ${service}`)
  return event
}

type About<Type extends RecordTypeName> = (typeof recordTypes)[Type]['about'][number]
type SubjectKind = (typeof subjectKinds)[number]

/** The ids that a change of a type has, those that it may have, and facts about it. */
export type RecordFacts<Type extends RecordTypeName> = { organization: string } & Record<About<Type>, string> &
  Partial<Record<Exclude<SubjectKind, About<Type>>, string>> &
  Pick<RecordEntry, 'revision' | 'details' | 'actor'>

/** A change of a type, for `tx.record`: `recorded('space.updated', { organization, space })`. */
export function recorded<Type extends RecordTypeName>(type: Type, facts: RecordFacts<Type>): RecordEntry {
  const { organization, revision, details, actor, ...subject } = facts
  const event = carriers.get(type)
  if (!event) throw new Error(`There is no type ${type}`)
  return { event, type, organization, subject: subject as Record<string, string>, revision, details, actor }
}
