import { recordTypes, recordTypesBySource, type Endpoint, type RecordType } from '@recto/contracts-shared'
import { groupOf } from '@recto/operation'
import { expect, it } from '@jest/globals'
import { api, protocols } from './index.ts'

const services = ['identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events'] as const
const rows = services.flatMap(service =>
  Object.entries(api[service] as Record<string, Endpoint>).map(([id, row]) => ({ service, id, row })),
)
const ofProtocols = protocols.flatMap(({ api: tables }) =>
  Object.entries(tables).flatMap(([service, table]) =>
    Object.values(table as Record<string, Endpoint>).map(row => ({ service, row })),
  ),
)
const types = services.flatMap(service => Object.keys(recordTypesBySource[service]).map(type => ({ service, type })))
/** Types that work records which no single event began: it looks again and again. */
const ofPolls = ['webhook.disabled', 'openapi-spec.version.added', 'openapi-spec.failed', 'git.poll.failed']
/** Types that work without a request records. */
const ofJobs = [...ofPolls, 'space.purged', 'git.sync.finished', 'git.sync.failed']

it.each(rows.filter(({ row }) => !row.route.startsWith('GET ')))(
  '$id says which changes of its service it records, or why none',
  ({ service, row: { records } }) => {
    const recordedTypes = Array.isArray(records) ? (records as string[]) : []
    expect(recordedTypes.filter(type => !(type in recordTypesBySource[service]))).toEqual([])
    if (recordedTypes.length === 0) expect(records).toMatchObject({ nothing: expect.stringMatching(/^[A-Z].+[^.]$/) })
  },
)

it.each(rows.filter(({ row }) => row.records && 'nothing' in row.records))(
  '$id needs the scope write, unless it says that it only reads',
  ({ row }) => {
    const isReading = /\breads?\b/i.test((row.records as { nothing: string }).nothing)
    if (row.access.group === undefined) expect(groupOf(row)).toBe(isReading ? 'read' : 'write')
  },
)

it('No GET says that it records something, but the end of a sign-in, to which a provider sends the browser', () => {
  const recording = rows.filter(({ row }) => row.route.startsWith('GET ') && row.records)
  expect(recording.map(({ id }) => id)).toEqual(['completeOidcSignIn'])
})

it.each(types)('An operation, or a job, records the type $type', ({ service, type }) => {
  const recording = [...rows, ...ofProtocols].filter(
    ({ service: other, row: { records } }) => other === service && Array.isArray(records) && records.includes(type),
  )
  expect(recording.length > 0 || ofJobs.includes(type)).toBe(true)
})

const typeRows: readonly (readonly [string, RecordType])[] = Object.entries(recordTypes)
const isEnd = (type: string) => ofJobs.includes(type) || type.endsWith('.finished')

it.each(typeRows.filter(([type]) => isEnd(type) && !ofPolls.includes(type)))(
  'The type %s names the type that began it, which is about the same',
  (_type, { causedBy, about }) => expect(typeRows).toContainEqual([causedBy, expect.objectContaining({ about })]),
)

it('No other type is said to be caused by one', () => {
  expect(typeRows.filter(([type, { causedBy }]) => causedBy !== undefined && !isEnd(type))).toEqual([])
})
