import { expect } from '@jest/globals'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import type { RecordTypeName } from '@recto/contracts-shared'
import { aWebServer, type WebServer } from '@recto/testing'
import { aProposer } from '../a-proposer.ts'
import { aTranslator, type Translator } from '../a-translator.ts'
import { type ContentSetup, organization } from '../content-setup.ts'
import { type Recorded, recordedChanges } from '../recorded-changes.ts'

/** An organization that spaces and collections are transferred to. */
export const otherOrganization = 'anotherOrganization'

/** Stands for an id that a case does not know. */
export const anId = expect.any(String) as unknown as string

/** A change that is expected in the record: the ids in its subject, and the rest of it. */
export type Expected = readonly [
  type: RecordTypeName,
  subject: Recorded['subject'],
  rest?: { organization?: string; revision?: Recorded['revision']; details?: object },
]

/** A call of an operation, the changes that it records, and a call of it that changes nothing. */
interface Attempt<Reply> {
  act(): Promise<Reply>
  changes: readonly Expected[] | ((reply: Reply) => readonly Expected[] | Promise<readonly Expected[]>)
  unchanged?(reply: Reply): Promise<unknown>
}

/** A case of an operation, made anew for its test. */
export interface RecordCase {
  row: keyof typeof contentApi
  title: string
  make(tools: RecordTools): Promise<Attempt<never>>
}

type Client = ReturnType<ContentSetup['as']>
type Reply<Row extends RecordCase['row']> = Awaited<ReturnType<Client[Row]>>

/** Declares a case of an operation, whose reply says which changes are expected. */
export function recordCase<Row extends RecordCase['row']>(
  row: Row,
  title: string,
  make: (tools: RecordTools) => Promise<Attempt<Reply<Row>>>,
): RecordCase {
  return { row, title, make: make as unknown as RecordCase['make'] }
}

/** The service with all that operations need, and an admin of two organizations who uses it. */
export async function aRecorder() {
  const translator = await aTranslator({ OUTGOING_ALLOW: '127.0.0.1' })
  const web = await aWebServer()
  return {
    ...toolsOf(translator, web),
    stop: async () => {
      await web.stop()
      await translator.stop()
    },
  }
}

function toolsOf(translator: Translator, web: WebServer) {
  const { content } = translator
  for (const user of ['admin', 'ada', 'bob']) content.people.add({ organization, user, role: 'admin' })
  content.people.addTeam(organization, 'reds')
  const memberships = [organization, otherOrganization].map(each => ({
    organization: each,
    role: 'admin' as const,
    teams: [],
  }))
  const actor = { userId: 'admin', platformAdmin: false, scopes: ['admin' as const], memberships }
  const admin = busClient(content.gateway, contentApi, { service: 'content', prefix: 'api', actor })
  const params = { organizationId: organization }
  return {
    ...aProposer(() => content),
    content,
    translator,
    web,
    admin,
    params,
    space: async (body: object = {}) => (await admin.createSpace({ params, body })).id,
    collection: async (body: object = {}) => (await admin.createCollection({ params, body })).id,
    /** Changes that were recorded while work was done. */
    during: (work: () => Promise<unknown>) => during(content, work),
  }
}

/** The tools of cases. */
export type RecordTools = ReturnType<typeof toolsOf>

async function during(content: ContentSetup, work: () => Promise<unknown>): Promise<Recorded[]> {
  const of = [organization, otherOrganization]
  const before = await Promise.all(of.map(each => recordedChanges(content, {}, { of: each })))
  await work()
  const changes = await Promise.all(
    of.map((each, at) => recordedChanges(content, {}, { of: each, after: before[at]?.at(-1)?.number ?? 0 })),
  )
  return changes.flat()
}

/** A recorded change as cases expect it. */
export function asExpected({ type, subject, organization: of, revision, details }: Recorded): unknown[] {
  const rest = {
    ...(of !== organization && { organization: of }),
    ...(revision && { revision }),
    ...(details && { details }),
  }
  return [type, subject, ...(Object.keys(rest).length > 0 ? [rest] : [])]
}
