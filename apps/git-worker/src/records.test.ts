import { gitWorkerApi } from '@recto/contracts-git-worker'
import { query, transact } from '@recto/database'
import {
  briefly,
  eventually,
  expectedChanges,
  recordedCall,
  recordedOnce,
  recordingOperations,
  recordReader,
  typesOf,
  type ExpectedChange,
  type NamedIds,
  type RecordedCall,
  type RecordedFact,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { gitOperations } from './admin/operation-commands.ts'
import { aSynchronisation } from './test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from './test/git-setup.ts'

const url = 'https://git.example/needle.git'
const credentials = { username: 'needle', password: 'needle' }
const error = { code: 'unreachable' as const, message: 'needle' }

let setup: GitSetup
let read: () => Promise<RecordedFact[]>
const ids: NamedIds = {}
beforeAll(async () => {
  setup = await aGitSetup()
  for (const name of ['space', 'synced']) ids[name] = await setup.content.aSpace()
  read = recordReader('git-worker', async (sql, values) => query(setup.db, sql, values))
})
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)
const { worker } = sync
const id = (name: string) => ids[name] ?? ''
const operation = () => id('gitOperation')
/** Keeps the id of the newest operation of a space. */
const keepNewest = async (space: string) => {
  ids['gitOperation'] = (await sync.operations(id(space)))[0]?.id ?? ''
}
const settings = { url, credentials, webhookSecret: 'a-secret-of-a-needle' }
const change = (type: string, { space = 'space', ...details }: Record<string, unknown>): ExpectedChange => [
  `git.sync.${type}`,
  `space:${String(space)} gitOperation`,
  { isAutomatic: space === 'synced', ...details },
]
const requestExport = async () => {
  ids['gitOperation'] = await worker.requestExport(id('space'), { url: `https://needle:needle@git.example/docs` })
}
/** Runs a command of administration. */
const endByOperator = (...args: string[]) =>
  gitOperations(['end', ...args], {
    db: setup.db,
    transaction: work => transact(setup.db, () => undefined, work),
    print: () => undefined,
  })

const requestCalls: RecordedCall[] = [
  recordedCall(
    'importGitRepository',
    'a request',
    async () => {
      ids['gitOperation'] = await worker.requestImport(id('space'), { url })
    },
    change('started', { kind: 'import' }),
  ),
  recordedCall(
    '',
    'a success',
    async () => {
      ids['revision'] = await worker.finishImport(await worker.work(operation()), ['needle'])
    },
    change('finished', { kind: 'import', status: 'success', revision: expect.any(String) }),
  ),
  recordedCall('exportToGitRepository', 'a request', requestExport, change('started', { kind: 'export' })),
  recordedCall(
    '',
    'a failure of the worker',
    async () => worker.fail(await worker.work(operation()), { error }),
    change('failed', { kind: 'export', status: 'failure', code: 'unreachable' }),
  ),
  recordedCall(
    'retryGitOperation',
    'a retry',
    () => setup.as('create').retryGitOperation({ params: { spaceId: id('space'), operationId: operation() } }),
    change('started', { kind: 'export', isRetry: true }),
  ),
  recordedCall('', 'a failure that is tried again', async () =>
    worker.fail(await worker.work(operation()), { error, retry: true }),
  ),
  recordedCall(
    '',
    'an end by an operator',
    () => endByOperator(operation()),
    change('failed', { kind: 'export', status: 'failure', code: 'gave_up' }),
  ),
  recordedCall('', 'an end of an operation that has ended', () => endByOperator(operation())),
  recordedCall(
    'importGitRepository',
    'a request that a later one has overtaken',
    async () => {
      ids['gitOperation'] = await worker.requestImport(id('space'), { url, timestamp: new Date(0).toISOString() })
    },
    change('started', { kind: 'import' }),
    change('finished', { kind: 'import', status: 'skipped' }),
  ),
  recordedCall(
    'pushToSpace',
    'a request',
    async () => {
      setup.content.uploads.set('an-upload', { createdBy: 'user-create', hash: '0'.repeat(64) })
      const body = { upload: 'an-upload', commit: 'c0ffee'.padEnd(40, '0'), message: 'needle' }
      const push = await setup.as('create').pushToSpace({ params: { spaceId: id('space') }, body })
      ids['gitOperation'] = push.id
    },
    change('started', { kind: 'import' }),
  ),
  recordedCall(
    '',
    'the success of a push',
    async () => {
      ids['revision'] = await worker.finishImport(await worker.work(operation()), ['needle'])
    },
    change('finished', { kind: 'import', status: 'success', revision: expect.any(String) }),
  ),
]

const setFields = ['url', 'ref', 'projectDirectory', 'direction', 'pollInterval', 'commitMessage']
const syncCalls: RecordedCall[] = [
  ...recordedOnce(
    'setGitSync',
    async () => {
      await sync.set(id('synced'), settings)
      await keepNewest('synced')
    },
    ['git.sync.updated', 'space:synced', { direction: 'both', fields: [...setFields, 'credentials', 'webhookSecret'] }],
    change('started', { space: 'synced', kind: 'import' }),
  ),
  ...recordedOnce(
    'setGitSync',
    () => sync.set(id('synced'), { ...settings, credentials: { username: 'needle', password: 'other' } }),
    ['git.sync.updated', 'space:synced', { direction: 'both', fields: ['credentials'] }],
  ),
  recordedCall(
    '',
    'the first import of a synchronisation',
    async () => {
      await sync.import(id('synced'), ['needle'], 'c1')
      await sync.waitUntilDecided(id('synced'))
    },
    change('finished', { space: 'synced', kind: 'import', status: 'success', revision: expect.any(String) }),
  ),
  recordedCall('receiveGitPush', 'a push', () => sync.push(id('synced'), 'c2', { by: settings.webhookSecret })),
  recordedCall('', 'a poll that finds nothing new', async () => (await sync.poll(id('synced'))).finish({ tip: 'c1' })),
  recordedCall(
    '',
    'a poll that fails',
    async () => {
      await sync.push(id('synced'), 'c2', { by: settings.webhookSecret })
      await (await sync.poll(id('synced'))).finish({ error })
    },
    ['git.poll.failed', 'space:synced', { code: 'unreachable' }],
  ),
  recordedCall('', 'a poll that fails again', async () => {
    await sync.push(id('synced'), 'c2', { by: settings.webhookSecret })
    await (await sync.poll(id('synced'))).finish({ error })
  }),
  recordedCall(
    '',
    'a poll that finds a commit',
    async () => {
      await sync.push(id('synced'), 'c2', { by: settings.webhookSecret })
      await (await sync.poll(id('synced'))).finish({ tip: 'c2' })
      await keepNewest('synced')
    },
    change('started', { space: 'synced', kind: 'import' }),
  ),
  ...recordedOnce('deleteGitSync', () => setup.as('create').deleteGitSync({ params: { spaceId: id('synced') } }), [
    'git.sync.removed',
    'space:synced',
  ]),
  recordedCall(
    '',
    'the job of a synchronisation that has ended',
    () => worker.start(operation()),
    change('finished', { space: 'synced', kind: 'import', status: 'skipped' }),
  ),
]

const calls = [...requestCalls, ...syncCalls]

it.each(calls)('A call records what it changed: $operation, $what', async ({ call, expected, operation, what }) => {
  await call()
  const facts = await read()
  expect(facts.map(briefly)).toEqual(expectedChanges(expected, ids))
  if (operation === 'importGitRepository') expect(typesOf(gitWorkerApi, operation)).toContain(facts[0]?.type)
  else if (operation)
    expect(typesOf(gitWorkerApi, operation)).toEqual(expect.arrayContaining(facts.map(({ type }) => type)))
  expect(JSON.stringify(facts)).not.toMatch(/needle|https:/)
  const ends = facts.filter(({ type }) => /finished|sync\.failed/.test(type))
  const asker = what.endsWith('operator') ? undefined : { kind: 'user', id: 'user-create' }
  expect(ends.map(({ actor }) => actor)).toEqual(ends.map(() => asker))
})

it('Changes are published to the stream of events', async () => {
  await eventually(async () => {
    const { state } = await setup.operator.manager.streams.info('EVENTS', { subjects_filter: 'events.git-worker.>' })
    expect(state.subjects?.['events.git-worker.recorded']).toBeGreaterThan(0)
  })
})

it('Every operation that records something is called by these tests', () => {
  const covered = new Set(calls.map(each => each.operation).filter(each => typesOf(gitWorkerApi, each).length > 0))
  expect([...covered].toSorted()).toEqual(recordingOperations(gitWorkerApi).toSorted())
})
