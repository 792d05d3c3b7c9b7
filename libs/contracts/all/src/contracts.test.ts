import {
  createsSomething,
  failureStatus,
  routeOf,
  groupOf,
  type Event,
  type FailureCode,
  type Operation,
} from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  isAboutResource,
  reads,
  services,
  type Endpoint,
  type ServiceName,
  scopeNames,
  scopeTable,
} from '@recto/contracts-shared'
import { allEvents, allJobs, api, calls, protocols } from './index.ts'

const rows = Object.entries(api).flatMap(([service, operations]) =>
  Object.entries(operations).map(([id, operation]) => ({ service, id, operation: operation as Operation })),
)
const protocolRows = protocols.flatMap(protocol => Object.values(protocol.api).flatMap(table => Object.values(table)))
const busRows = Object.entries(calls).flatMap(([service, operations]) =>
  Object.entries(operations).map(([id, operation]) => ({ service, id, operation: operation as Operation })),
)
const schemas = [...rows, ...busRows].flatMap(({ id, operation }) =>
  (['query', 'body', 'reply'] as const).flatMap(part => {
    const schema = operation[part]
    return schema && schema.def.type !== 'undefined' ? [{ name: `${id}.${part}`, schema }] : []
  }),
)

/** Objects that stand in a named part of a schema need a name of their own only when they are shared; these carry a name. */
function namedParts(schema: z.ZodType): Record<string, { description?: string }> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input' })
  // A recursive schema without an id, such as that of any JSON value, has a name from Zod.
  const parts = Object.entries($defs).filter(([name]) => !name.startsWith('__schema'))
  return { ...Object.fromEntries(parts), ...(root.id ? { [String(root.id)]: root } : {}) }
}

describe('the contract', () => {
  it.each(schemas)('The schema $name converts to JSON Schema both ways', ({ schema }) => {
    expect(() => [z.toJSONSchema(schema, { io: 'input' }), z.toJSONSchema(schema, { io: 'output' })]).not.toThrow()
  })

  it.each(schemas)('Every named object of $name is described', ({ schema }) => {
    const bare = Object.entries(namedParts(schema)).filter(([, part]) => !part.description)
    expect(bare.map(([name]) => name)).toEqual([])
  })

  it.each(rows.filter(({ operation }) => operation.body))('The body of $id is named', ({ operation }) => {
    expect(z.globalRegistry.get(operation.body as z.ZodType)).toMatchObject({
      id: expect.any(String),
      description: expect.any(String),
    })
  })

  it('The contract has no two rows with the same method and path', () => {
    const routes = rows.map(({ operation }) => operation.route?.replaceAll(/\{\w+\}/g, '{}'))
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it('The contract has unique operation ids, also between the bus and the gateway', () => {
    const ids = [...rows, ...busRows].map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('The contract routes every row of the API and none of the bus', () => {
    expect(rows.filter(({ operation }) => !routeOf(operation)).map(({ id }) => id)).toEqual([])
    expect(busRows.filter(({ operation }) => routeOf(operation)).map(({ id }) => id)).toEqual([])
  })

  it('The contract answers deletes with 204 and nothing', () => {
    const deletes = rows.filter(({ operation }) => operation.route?.startsWith('DELETE'))
    expect(deletes.every(({ operation }) => operation.status === 204 && operation.reply.def.type === 'undefined')).toBe(
      true,
    )
    expect(deletes.length).toBeGreaterThan(0)
  })

  it('The contract declares HTML failures for operations used in a browser', () => {
    const publicRows = rows.filter(
      ({ operation: { status, response } }) => status === 302 || response?.mediaType === 'text/html',
    )
    expect(
      publicRows.filter(({ operation }) => operation.response?.failurePage === undefined).map(({ id }) => id),
    ).toEqual([])
    expect(publicRows.map(({ id }) => id)).toEqual(
      rows.filter(({ operation }) => operation.response?.failurePage).map(({ id }) => id),
    )
  })

  it('The contract pages every list', () => {
    // The specification defines these lists without pages.
    const whole = [
      'listSSOProviderLoginsInOrganization',
      'listSiteAdaptiveTemplateConditions',
      'listOrganizationAuditEventActions',
    ]
    const lists = rows.filter(({ id, operation }) => !whole.includes(id) && 'items' in shapeOf(operation.reply))
    expect(lists.map(({ id }) => id)).toContain('listFiles')
    for (const { id, operation } of lists) {
      expect([id, Object.keys(shapeOf(operation.query))]).toEqual([id, expect.arrayContaining(['page', 'limit'])])
      expect([id, Object.keys(shapeOf(operation.reply)).sort()]).toEqual([
        id,
        expect.arrayContaining(['count', 'items', 'next']),
      ])
    }
  })

  it('The contract allows a read token to use GET, and what only reads', () => {
    const wrong = rows.filter(
      ({ operation }) =>
        (groupOf(operation) === 'read') !== (routeOf(operation)?.method === 'GET' || operation.records === reads),
    )
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('The contract has rows of one group for each scope, and no scope without a row', () => {
    const scopedRows = [...rows.map(({ operation }) => operation), ...protocolRows]
    const ofScope = (scope: string) => scopedRows.filter(operation => operation.scope === scope)
    const groups = Object.entries(scopeTable).map(([scope, { group }]) => [scope, [group]])
    const groupsOfRows = scopeNames.map(scope => [scope, [...new Set(ofScope(scope).map(groupOf))]])
    expect(groupsOfRows).toEqual(groups)
  })

  it('The contract says of every row whether tokens that are limited to resources may use it', () => {
    const classOf = ({ access }: Operation) => access?.limited
    const withToken = rows.filter(({ operation }) => operation.access?.public !== true)
    const about = withToken.filter(({ operation }) => isAboutResource(operation as Endpoint))
    expect(about.filter(({ operation }) => classOf(operation) !== 'checked').map(({ id }) => id)).toEqual([])
    // Whoever adds a row here says by which rule its service leaves out what the token is not limited to, and tests it.
    const others = withToken.filter(({ operation }) => !isAboutResource(operation as Endpoint) && classOf(operation))
    expect(Object.fromEntries(others.map(({ id, operation }) => [id, classOf(operation)]))).toEqual({
      askInOrganization: 'filtered',
      cancelImportRun: 'checked',
      cancelTranslationRun: 'checked',
      createCollection: 'checked',
      createSpace: 'checked',
      createTranslation: 'checked',
      deleteTranslation: 'checked',
      dnsRevalidateCustomHostname: 'checked',
      generateStorageUploadURL: 'checked',
      getAuthenticatedUser: 'filtered',
      getContentByUrl: 'checked',
      getCustomHostname: 'checked',
      getImportRun: 'checked',
      getRecommendedQuestionsInOrganization: 'filtered',
      getSubdomain: 'checked',
      getTranslation: 'checked',
      getTranslationRun: 'checked',
      listChangeRequestsForOrganization: 'filtered',
      listCollectionsInOrganizationById: 'filtered',
      listEvents: 'filtered',
      listImportRuns: 'filtered',
      listSites: 'filtered',
      listSpacesInOrganizationById: 'filtered',
      listTranslationRuns: 'checked',
      listTranslations: 'filtered',
      removeCustomHostname: 'checked',
      runTranslation: 'checked',
      searchOrganizationContent: 'filtered',
      startImportRun: 'checked',
      streamAskInOrganization: 'filtered',
      streamEvents: 'filtered',
      streamRecommendedQuestionsInOrganization: 'filtered',
      updateTranslation: 'checked',
    })
    expect(protocolRows.filter(classOf)).toEqual([])
  })

  it('The contract shares replies only of what never changes, with callers whose rights the gateway knows', () => {
    const shared = rows.filter(({ operation }) => operation.cache?.within !== undefined)
    const isRight = ({ operation: { route, access, cache, request, body } }: (typeof rows)[number]) =>
      route?.startsWith('GET ') && route.includes(`{${cache?.within}}`) && access?.callers && !request?.headers && !body
    expect(shared.filter(row => !isRight(row)).map(({ id }) => id)).toEqual([])
    expect(shared.map(({ id }) => id)).toContain('getPageDocumentInRevisionById')
  })

  it('The contract declares a failure for every row that names an object in its path', () => {
    // A webhook of a space that is not there is refused as one with a wrong signature.
    const namedRows = rows.filter(
      ({ id, operation }) => operation.route?.includes('{') && operation.status !== 204 && id !== 'receiveGitPush',
    )
    expect(namedRows.filter(({ operation }) => !operation.errors?.includes('not_found')).map(({ id }) => id)).toEqual(
      [],
    )
  })

  it('The contract says of every failure that not all rows have when it happens, by its status', () => {
    const notable: readonly FailureCode[] = ['conflict', 'gone', 'precondition_failed', 'too_large']
    const silent = rows.flatMap(({ id, operation: { errors = [], summary, description } }) =>
      errors
        .filter(code => notable.includes(code) && !`${summary} ${description}`.includes(String(failureStatus[code])))
        .map(code => `${id}: ${code}`),
    )
    expect(silent).toEqual([])
  })

  it('The contract lets requests be repeated with an Idempotency-Key, unless repeating them changes nothing', () => {
    const posts = rows.filter(
      ({ operation }) => operation.route?.startsWith('POST ') && operation.access?.public !== true,
    )
    const unclear = posts.filter(({ operation }) => createsSomething(operation) === (operation.isIdempotent === true))
    expect(unclear.map(({ id }) => id)).toEqual([])
  })

  it('The contract says of every row of the API who may use it', () => {
    expect(rows.filter(({ operation }) => operation.access?.may === undefined).map(({ id }) => id)).toEqual([])
  })

  it('The contract shows rows by examples that are valid input, and names parameters of their paths only', () => {
    for (const { id, operation } of rows) {
      const { route, query, body, examples = [] } = operation as Endpoint
      // A raw body has no schema; of one that has to be there, an example says what is in it.
      if (body && !operation.request?.optionalBody && !operation.request?.form)
        expect([id, examples.some(example => example.body !== undefined)]).toEqual([id, true])
      for (const example of examples) {
        if (query) expect([id, query.safeParse(example.query ?? {}).error]).toEqual([id, undefined])
        if (body && example.body !== undefined)
          expect([id, body.safeParse(example.body).error]).toEqual([id, undefined])
        for (const name of Object.keys(example.params ?? {}))
          expect([id, route]).toEqual([id, expect.stringContaining(`{${name}}`)])
      }
    }
  })

  it('The contract keeps events and jobs with their services', () => {
    for (const event of Object.values(allEvents)) expect(Object.keys(services)).toContain(event.subject.split('.')[1])
    for (const job of Object.values(allJobs)) expect(Object.keys(services)).toContain(job.consumer)
  })

  it('The contract permits every consumer of an event to subscribe to it and acknowledge it to its publisher', () => {
    for (const { subject, consumers } of Object.values<Event>(allEvents)) {
      const teller = subject.split('.')[1] ?? ''
      for (const consumer of consumers)
        expect(trafficOf(consumer)).toMatchObject({
          consumes: expect.arrayContaining(['EVENTS']),
          // A service acknowledges its own events in its database.
          ...(consumer !== teller && { calls: expect.arrayContaining([`${teller}.acknowledgeEvents`]) }),
        })
    }
  })

  it('The contract permits services to make existing calls only, each by its name', () => {
    const exceptions = [
      ...busRows.map(({ service, id }) => `${service}.${id}`),
      ...Object.entries(services)
        .filter(([, traffic]) => 'publishes' in traffic)
        .map(([service]) => `${service}.acknowledgeEvents`),
    ]
    const made = Object.keys(services).flatMap(service => trafficOf(service).calls ?? [])
    expect(made.filter(call => !exceptions.includes(call))).toEqual([])
  })

  it('The contract permits only the gateway to send requests of users', () => {
    const senders = Object.entries(services).filter(([, traffic]) => 'sendsApi' in traffic)
    expect(senders.map(([name]) => name)).toEqual(['gateway'])
  })
})

function trafficOf(service: string): { serves?: boolean; calls?: readonly string[] } {
  return services[service as ServiceName]
}

function shapeOf(schema: z.ZodType | undefined): Record<string, unknown> {
  return schema instanceof z.ZodObject ? schema.shape : {}
}
