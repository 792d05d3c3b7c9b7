import { query } from '@recto/database'
import { eventually, failure, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aDocument } from '../test/documents.ts'
import { aSpecService, organization, type SpecsSetup } from '../test/specs-setup.ts'
import { unusedContentDeletionJob } from './delete-unused.ts'

const schemas = replySchemas()
const params = (specSlug: string) => ({ organizationId: organization, specSlug })

let specs: SpecsSetup
beforeAll(async () => void (specs = await aSpecService()))
afterAll(() => specs.stop())

/** Sets the text of a specification, and waits until it was read. */
async function read(slug: string, text: string) {
  await specs.as('create').createOrUpdateOpenAPISpecBySlug({ params: params(slug), body: { source: { text } } })
  return eventually(async () => {
    const spec = await specs.as('read').getOpenAPISpecBySlug({ params: params(slug) })
    expect(spec.processingState).toBe('complete')
    return spec
  })
}
const rawOf = (slug: string) => specs.as('read').getLatestOpenAPISpecVersionContentRaw({ params: params(slug) })

const yaml = '# Of toys.\nopenapi: 3.0.3\ninfo: {title: Toys, version: "1"}\npaths: {}\n'

it('The text of the latest version is the one that was sent, also when a later one is broken', async () => {
  await read('raw', yaml)
  const raw = await rawOf('raw')
  expect(raw).toEqual({ text: yaml, format: 'yaml' })
  expect(schemas.validateReply('getLatestOpenAPISpecVersionContentRaw', 200, raw)).toEqual([])
  const json = `${JSON.stringify(aDocument({ title: 'Other' }), null, 3)}\n`
  await read('raw', json)
  expect(await rawOf('raw')).toEqual({ text: json, format: 'json' })
  await read('raw', 'broken')
  expect(await rawOf('raw')).toEqual({ text: json, format: 'json' })
})

it('The text of a version is for members only, and not found where there is none', async () => {
  await read('closed', yaml)
  specs.visibleSpecs.add('manual closed')
  for (const by of [specs.visitor(organization, ['manual']), specs.as(undefined)])
    expect(await failure(by.getLatestOpenAPISpecVersionContentRaw({ params: params('closed') }))).toBe('not_found')
  await read('broken', 'broken')
  expect(await failure(rawOf('broken'))).toBe('not_found')
})

it('A version of before gets its text when its source is read again, and stays the same version', async () => {
  const { lastVersion } = await read('before', yaml)
  const { db } = specs.service
  await query(db, 'update openapi_spec_versions set raw_hash = null, raw_format = null where id = $1', [lastVersion])
  expect(await failure(rawOf('before'))).toBe('not_found')
  const again = await read('before', yaml)
  expect(again.lastVersion).toBe(lastVersion)
  expect(await rawOf('before')).toEqual({ text: yaml, format: 'yaml' })
})

it('The text of a version is kept as long as a version has it', async () => {
  const own = `${yaml}tags: []\n`
  await read('first', own)
  await read('second', own)
  const { db } = specs.service
  const deleteUnused = async () => {
    await query(db, `update unused_contents set since = now() - interval '2 hours'`)
    const transaction = (work: (tx: never) => Promise<unknown>) => db.transaction(tx => work(tx as never))
    await unusedContentDeletionJob(db, transaction as never, specs.contents).run(new AbortController().signal)
  }
  const [row] = await query<{ hash: string }>(
    db,
    `select raw_hash as hash from openapi_spec_versions version join openapi_specs spec on spec.id = spec_id where slug = 'first'`,
  )
  await specs.as('create').deleteOpenAPISpecBySlug({ params: params('first') })
  await deleteUnused()
  expect((await rawOf('second')).text).toBe(own)
  await specs.as('create').deleteOpenAPISpecBySlug({ params: params('second') })
  await deleteUnused()
  expect(await specs.contents.has(row?.hash ?? '')).toBe(false)
})

it('The content of a version names its source, and where anybody can download it once it is public', async () => {
  await read('named', yaml)
  const contentOf = () => specs.as('read').getLatestOpenAPISpecVersionContent({ params: params('named') })
  const content = await contentOf()
  expect(content.urls).toEqual({ source: content.url, public: null })
  const body = { visibility: 'public' as const }
  await specs.as('create').updateOpenAPISpecBySlug({ params: params('named'), body })
  const published = await contentOf()
  expect(published.urls.public).toBe(`http://recto.test/v1/orgs/${organization}/openapi/named/published.json`)
  for (const reply of [content, published])
    expect(schemas.validateReply('getLatestOpenAPISpecVersionContent', 200, reply)).toEqual([])
})

it('A specification counts all errors of its last processing', async () => {
  const spec = await read('faulty', 'broken')
  expect(spec.lastProcessedErrorCount).toBe(1)
  expect(schemas.validateReply('getOpenAPISpecBySlug', 200, spec)).toEqual([])
  expect((await read('faulty', yaml)).lastProcessedErrorCount).toBe(0)
})
