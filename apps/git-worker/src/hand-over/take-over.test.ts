import { createId } from '@recto/operation'
import { seal } from '../shared/credentials.ts'
import { afterEach, expect, it } from '@jest/globals'
import type { Content } from '../test/a-content.ts'
import { aSynchronisation, branch, secret } from '../test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

const open: GitSetup[] = []
afterEach(async () => {
  for (const setup of open.splice(0)) await setup.stop()
})

const key: [string] = [Buffer.alloc(32, 1).toString('base64url')]
const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`
const now = new Date().toISOString()
/** A heartbeat that is young for as long as a test takes. */
const young = new Date(Date.now() + 3_600_000).toISOString()
const credentials = { username: 'user', password: 'from before' }

/** An operation as the version before kept it. */
function anOperation(id: string, spaceId: string, more: object) {
  return {
    id,
    space_id: spaceId,
    organization_id: 'anOrganization',
    sync_id: null,
    direction: 'import',
    state: 'success',
    dispatched: true,
    stage: null,
    progress: null,
    url: branch.url,
    ref: branch.ref,
    credentials: hex(seal(credentials, id, key)),
    options: { force: false, standalone: false },
    timestamp: now,
    attempts: 1,
    heartbeat_at: null,
    created_by: 'user',
    created_at: now,
    started_at: now,
    completed_at: now,
    revision: null,
    commit_oid: null,
    is_partial: false,
    error: null,
    warnings: [],
    ...more,
  }
}

/** A synchronisation as the version before kept it. */
function aSync(id: string, spaceId: string, more: object) {
  return {
    id,
    space_id: spaceId,
    ...branch,
    project_directory: '',
    direction: 'both',
    commit_message: null,
    credentials: hex(seal(credentials, id, key)),
    webhook_secret: hex(seal(secret, `webhook ${id}`, key)),
    poll_interval: 60,
    initial: null,
    synced_commit: 'c1',
    poll_id: null,
    recheck: false,
    due_at: null,
    failures: 0,
    error: null,
    created_by: 'user',
    created_at: now,
    updated_at: now,
    ...more,
  }
}

/** Starts the service on what the version before kept in content. */
async function takenOver(prepare: (content: Content) => Promise<void>): Promise<GitSetup> {
  const setup = await aGitSetup({ prepare })
  open.push(setup)
  return setup
}

it('Operations and synchronisations of the version before are taken over with their credentials, and go on', async () => {
  const ids = { space: '', sync: createId(), running: createId() }
  const setup = await takenOver(async content => {
    ids.space = await content.aSpace()
    await content.edit(ids.space, 'a')
    const { revision } = content.space(ids.space)
    const ended = Array.from({ length: 5 }, () => anOperation(createId(), ids.space, { revision, commit_oid: 'c1' }))
    const running = anOperation(ids.running, ids.space, { state: 'running', completed_at: null, heartbeat_at: young })
    content.former = {
      git_operations: [...ended, running].sort((one, other) => (one.id < other.id ? -1 : 1)),
      git_syncs: [aSync(ids.sync, ids.space, { synced_revision: revision })],
    }
  })
  const sync = aSynchronisation(() => setup)
  expect((await sync.operations(ids.space)).length).toBe(6)
  expect(await setup.db.query('select 1 from outbox where id = $1 and done_at is null', [ids.running])).toHaveLength(1)
  expect(await sync.worker.start(ids.running)).toBe('busy')
  await sync.worker.silence(ids.running)
  const work = await sync.worker.work(ids.running)
  expect(work).toMatchObject({ attempt: 2, lease: 2, credentials })
  await sync.worker.finishImport(work, ['a', 'b'], 'c2')
  expect(await sync.get(ids.space)).toMatchObject({ hasCredentials: true, state: 'synchronized', commit: 'c2' })
  await sync.push(ids.space, 'c3')
  expect((await sync.poll(ids.space)).work).toMatchObject({ syncId: ids.sync, credentials })
  await setup.content.edit(ids.space, 'c')
  expect(await sync.start(ids.space, 'export')).toMatchObject({ credentials })
})

it('Rows that were taken over are not taken over again, and deleted ones do not come back', async () => {
  const ids = { space: '', sync: createId() }
  const setup = await takenOver(async content => {
    ids.space = await content.aSpace()
    content.former.git_syncs = [aSync(ids.sync, ids.space, { direction: 'import', synced_revision: null })]
  })
  await setup.as('create').deleteGitSync({ params: { spaceId: ids.space } })
  const again = await setup.startAgain()
  await again.stop()
  const params = { spaceId: ids.space }
  await expect(setup.as('create').getGitSync({ params })).rejects.toMatchObject({ code: 'not_found' })
})

it('No request is answered before content hands over, and every request after that', async () => {
  const setup = await aGitSetup({
    async prepare(content) {
      await content.stop()
      setTimeout(() => void content.start(), 1_500)
    },
  })
  open.push(setup)
  const spaceId = await setup.content.aSpace()
  expect((await setup.as('read').listGitOperations({ params: { spaceId } })).items).toEqual([])
})
