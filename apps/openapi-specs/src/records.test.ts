import { openApiSpecsApi } from '@recto/contracts-openapi-specs'
import { query } from '@recto/database'
import {
  aWebServer,
  briefly,
  eventually,
  expectedChanges,
  recordedCall,
  recordedOnce,
  recordingOperations,
  recordReader,
  typesOf,
  type NamedIds,
  type RecordedCall,
  type RecordedFact,
  type WebServer,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aDocument } from './test/documents.ts'
import { actorWith, aSpecService, organization, type SpecsSetup } from './test/specs-setup.ts'

const slug = 'a-needle'
const params = { organizationId: organization, specSlug: slug }
const document = (title: string) => JSON.stringify(aDocument({ info: { title, version: '1' } }))

let specs: SpecsSetup
let web: WebServer
let read: () => Promise<RecordedFact[]>
beforeAll(async () => {
  ;[specs, web] = await Promise.all([aSpecService(), aWebServer()])
  read = recordReader('openapi-specs', async (sql, values) => query(specs.service.db, sql, values))
})
afterAll(() => Promise.all([specs.stop(), web.stop()]))

const ids: NamedIds = {}
const editor = () => specs.as('create')
/** Resolves when the specification was processed, and keeps its id and that of its last version. */
const processed = () =>
  eventually(async () => {
    const spec = await editor().getOpenAPISpecBySlug({ params })
    expect(spec.processingState).toBe('complete')
    Object.assign(ids, { openapiSpec: spec.id, version: spec.lastVersion })
  })
const put = async (source: { url?: string; text?: string }) => {
  await editor().createOrUpdateOpenAPISpecBySlug({ params, body: { source } })
  await processed()
}
const url = () => `${web.url}/needle.json`
const refresh = async () => {
  await editor().refreshOpenAPISpec({ params })
  await processed()
}
const added = (): [string, string, object] => [
  'openapi-spec.version.added',
  'openapiSpec',
  { version: expect.any(String) },
]
const updated = (...fields: string[]): [string, string, object] => ['openapi-spec.updated', 'openapiSpec', { fields }]
const failed = (code: string): [string, string, object] => ['openapi-spec.failed', 'openapiSpec', { code }]

const calls: RecordedCall[] = [
  recordedCall(
    'createOpenAPISpec',
    'a specification and its first version',
    async () => {
      const body = { slug, source: { text: document('needle') } }
      await editor().createOpenAPISpec({ params: { organizationId: organization }, body })
      await processed()
    },
    ['openapi-spec.created', 'openapiSpec', { source: 'text' }],
    added(),
  ),
  ...recordedOnce(
    'updateOpenAPISpecBySlug',
    () => editor().updateOpenAPISpecBySlug({ params, body: { visibility: 'public' } }),
    [...updated('visibility')],
  ),
  ...recordedOnce(
    'createOrUpdateOpenAPISpecBySlug',
    () => put({ text: document('another needle') }),
    updated('source'),
    added(),
  ),
  ...recordedOnce(
    'createOrUpdateOpenAPISpecBySlug',
    () => put({ url: url() }),
    updated('source'),
    failed('FETCH_ERROR'),
  ),
  recordedCall(
    'refreshOpenAPISpec',
    'a failure of another kind',
    async () => {
      web.set({ '/needle.json': '{"needle": 1}' })
      await refresh()
    },
    failed('PARSE_ERROR'),
  ),
  recordedCall('refreshOpenAPISpec', 'the same failure', refresh),
  recordedCall(
    'refreshOpenAPISpec',
    'a new version',
    async () => {
      web.set({ '/needle.json': document('needle') })
      await refresh()
    },
    added(),
  ),
  recordedCall('refreshOpenAPISpec', 'the same version', refresh),
  ...recordedOnce('deleteOpenAPISpecBySlug', () => editor().deleteOpenAPISpecBySlug({ params }), [
    'openapi-spec.deleted',
    'openapiSpec',
  ]),
  recordedCall(
    'createOrUpdateOpenAPISpecBySlug',
    'a specification that was not there',
    () => put({ text: document('needle') }),
    ['openapi-spec.created', 'openapiSpec', { source: 'text' }],
    added(),
  ),
  recordedCall(
    '',
    'a specification that content creates',
    async () => {
      await editor().deleteOpenAPISpecBySlug({ params })
      await read()
      await specs.calls.createSpecification({ body: { actor: actorWith('create'), organization, slug, url: url() } })
      await processed()
    },
    ['openapi-spec.created', 'openapiSpec', { source: 'url' }],
    added(),
  ),
]
/** Processing records the types that no row has. */
const ofProcessing = ['openapi-spec.version.added', 'openapi-spec.failed']

it.each(calls)('A call records what it changed: $operation, $what', async ({ call, expected, operation }) => {
  await call()
  const facts = await read()
  expect(facts.map(briefly)).toEqual(expectedChanges(expected, ids))
  const types = facts.map(({ type }) => type).filter(type => !ofProcessing.includes(type))
  if (operation) expect(typesOf(openApiSpecsApi, operation)).toEqual(expect.arrayContaining(types))
  expect(JSON.stringify(facts)).not.toMatch(/needle|http:/)
})

it('Every operation that records something is called by these tests', () => {
  const covered = new Set(
    calls.map(({ operation }) => operation).filter(each => typesOf(openApiSpecsApi, each).length > 0),
  )
  expect([...covered].toSorted()).toEqual(recordingOperations(openApiSpecsApi).toSorted())
})
