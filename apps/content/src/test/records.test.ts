import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { contentApi } from '@recto/contracts-content'
import type { Endpoint } from '@recto/contracts-shared'
import { transact } from '@recto/database'
import { eventually } from '@recto/testing'
import { purge } from '../jobs/purge.ts'
import { restorePeriod } from '../resources/trash.rules.ts'
import { finishedRun } from './a-translator.ts'
import { importInto, organization } from './content-setup.ts'
import { recordedChanges } from './recorded-changes.ts'
import { commentCases } from './records/comments.cases.ts'
import { contentCases } from './records/content.cases.ts'
import { organizationCases } from './records/organization.cases.ts'
import { aRecorder, asExpected } from './records/record-case.ts'
import { grantCases, resourceCases } from './records/resources.cases.ts'

const cases = [...resourceCases, ...grantCases, ...contentCases, ...commentCases, ...organizationCases]
const rows = Object.entries<Endpoint>(contentApi)
/** The types that a row records; none for one that records nothing. */
const typesOf = (id: string) => {
  const { records } = (contentApi as Record<string, Endpoint>)[id] ?? {}
  return records && !('nothing' in records) ? records : []
}

let recorder: Awaited<ReturnType<typeof aRecorder>>
beforeAll(async () => (recorder = await aRecorder()))
afterAll(() => recorder.stop())

/** Types that the cases have recorded, by operation. */
const recordedOf = new Map<string, Set<string>>()
const admin = { kind: 'user', id: 'admin' }

describe('an operation', () => {
  it.each(cases.map(each => [each.row, each.title, each] as const))('%s records: %s', async (row, _title, { make }) => {
    const { act, changes, unchanged } = await make(recorder)
    let reply: unknown
    const own = (await recorder.during(async () => (reply = await act()))).filter(each => each.operationId === row)
    const expected = typeof changes === 'function' ? await changes(reply as never) : changes
    expect(own.map(asExpected)).toEqual(expected)
    for (const change of own) expect(change).toMatchObject({ actor: admin, requestId: expect.any(String) })
    expect(JSON.stringify(own)).not.toMatch(/secret/i)
    recordedOf.set(row, new Set([...(recordedOf.get(row) ?? []), ...own.map(({ type }) => type)]))
    if (!unchanged) return
    const since = await recorder.during(() => unchanged(reply as never))
    expect(since.filter(each => each.operationId === row).map(asExpected)).toEqual([])
  })

  it('Each operation that changes something has a case, and records exactly the types of its row', () => {
    const sorted = (types: Iterable<string>) => [...types].toSorted()
    const declared = rows.filter(([id]) => typesOf(id).length > 0).map(([id]) => [id, sorted(typesOf(id))])
    expect(Object.fromEntries([...recordedOf].map(([id, types]) => [id, sorted(types)]))).toEqual(
      Object.fromEntries(declared),
    )
  })

  it('Each operation that is no read says what it records', () => {
    const unclear = rows.filter(([, { route, records }]) => (records === undefined) !== route.startsWith('GET '))
    expect(unclear.map(([id]) => id)).toEqual([])
  })
})

describe('work without a caller', () => {
  it('What an import brings, and its end, is work of who started it', async () => {
    const { admin: client, params, web } = recorder
    const spaceId = await recorder.aSpace()
    web.set({ '/site/': '<html><body><h1>Home</h1></body></html>' })
    const start = (path: string) =>
      client.startImportRun({
        params,
        body: { source: { type: 'website', url: `${web.url}${path}` }, target: { space: spaceId } },
      })
    const ended = async (importRun: string) =>
      eventually(async () => {
        const finished = (await recordedChanges(recorder.content, { importRun })).at(-1)
        expect(finished?.type).toBe('import.finished')
        return finished
      })
    const { id } = await start('/site/')
    expect(await ended(id)).toMatchObject({
      subject: { space: spaceId },
      details: { status: 'completed' },
      actor: admin,
    })
    const ofSpace = (await recordedChanges(recorder.content, { space: spaceId })).slice(-2)
    expect(ofSpace).toMatchObject([{ type: 'space.content.updated', actor: admin }, { type: 'import.finished' }])
    const { id: failing } = await start('/missing/')
    expect(await ended(failing)).toMatchObject({ details: { status: 'failed' }, actor: admin })
  })

  it('What a translation brings, and the end of its run, is work of who asked for the run', async () => {
    const { admin: client, content } = recorder
    const { spaceId } = await recorder.aTree()
    const { id, result } = await client.createTranslation({
      params: recorder.params,
      body: { source: { space: spaceId, language: 'en' }, language: 'de' },
    })
    const params = { organizationId: organization, translationId: id }
    await client.runTranslation({ params })
    await finishedRun(client, params)
    const changes = (await recordedChanges(content, { space: result?.space ?? '' })).slice(-3)
    expect(changes.map(({ type, actor, details }) => [type, actor, details])).toEqual([
      ['translation.run.started', admin, undefined],
      ['space.content.updated', admin, undefined],
      ['translation.run.finished', admin, { status: 'success' }],
    ])
    expect(changes.map(({ operationId }) => operationId)).toEqual(['runTranslation', undefined, undefined])
  })

  it('What a repository brings is work of who asked for it', async () => {
    const space = await recorder.aSpace()
    const after = await importInto(recorder.content, space, { pages: { a: '# A\n' } }, { user: 'asker' })
    expect((await recordedChanges(recorder.content, { space })).at(-1)).toMatchObject({
      type: 'space.content.updated',
      revision: { after },
      actor: { kind: 'user', id: 'asker' },
    })
  })

  it('What is purged is work of nobody', async () => {
    const space = await recorder.space()
    await recorder.admin.deleteSpaceById({ params: { spaceId: space } })
    await purge({
      transaction: work => transact(recorder.content.service.db, () => undefined, work),
      now: new Date(Date.now() + restorePeriod + 60_000),
    })
    const last = (await recordedChanges(recorder.content, { space })).at(-1)
    expect(last).toMatchObject({ type: 'space.purged' })
    expect(last).not.toHaveProperty('actor')
  })

  it('A grant that an invitation brings is recorded once', async () => {
    const space = await recorder.space()
    const body = { organization, space, user: 'invited', standing: null, level: 'edit' as const }
    const grants = async () => {
      for (let times = 0; times < 2; times += 1) await recorder.content.access.grantSpace({ body })
    }
    expect((await recorder.during(grants)).map(asExpected)).toEqual([
      ['space.permissions.updated', { space }, { details: { users: ['invited'], teams: [], defaultLevel: false } }],
    ])
  })
})
