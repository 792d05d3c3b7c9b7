import { createHmac } from 'node:crypto'
import { busClient } from '@recto/bus'
import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { transact } from '@recto/database'
import { tableTexts } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { reencryptCommand } from '../admin/reencrypt-command.ts'
import { statusApiOf } from '../syncs/preview-settings.ts'
import { aSynchronisation, branch, secret } from '../test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'
import { GitStatusEntity, type GitStatusRow } from './git-status.entity.ts'
import { GitPreviewEntity } from './git-preview.entity.ts'

const head = (digit: string) => digit.repeat(40)
const apiUrl = 'https://api.forge.example/api'
const previews = { forge: 'github' as const, apiUrl, access: 'open' as const, statusToken: 'needle-of-a-token' }
const strangers = [null, undefined] as const

let setup: GitSetup
beforeAll(async () => {
  setup = await aGitSetup()
})
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)
let spaceId: string
beforeEach(async () => {
  spaceId = await sync.synchronised('import', { previews })
})

const client = () => setup.as('create')
const list = async () => (await client().listGitPreviews({ params: { spaceId } })).items
const first = async () => {
  const [preview] = await list()
  if (!preview) throw new Error('There is no preview')
  return preview
}
const publishing = () => busClient(setup.operator, gitWorkerCalls, { service: 'git-worker' })
const keyOf = async (number: number) => (await setup.db.findOneByOrFail(GitPreviewEntity, { spaceId, number })).key
const findPreview = async (key: string, more = {}) =>
  publishing().findGitPreview({ body: { spaceId, key, isPublicSite: false, ...more } })

/** Sends a pull request as GitHub does. */
function sendPull(
  pull: { number?: number; state?: string; at?: string; merged?: boolean; target?: string },
  by = secret,
) {
  const { number = 7, state = 'open', at = '2026-11-26T10:00:00Z', merged = false, target = 'main' } = pull
  const body = { number, title: 'Fix', state, merged, updated_at: at, head: { sha: head('1') }, base: { ref: target } }
  const raw = Buffer.from(JSON.stringify({ action: 'any', pull_request: body }))
  const signature = `sha256=${createHmac('sha256', by).update(raw).digest('hex')}`
  const headers = { 'x-github-event': 'pull_request', 'x-hub-signature-256': signature }
  return setup.as(undefined).receiveGitPush({ params: { spaceId }, headers, raw })
}

/** Has a poll find the branch and the heads of pull requests. */
async function find(heads: [number, string][]): Promise<void> {
  await sendPull({ number: 999, target: 'another' })
  const poll = await sync.poll(spaceId)
  expect(poll.work).toMatchObject({ pulls: { forge: 'github', token: previews.statusToken } })
  await poll.finish({ tip: 'c1', pulls: { heads: heads.map(([number, oid]) => ({ number, head: oid })) } })
}

/** Runs the import that waits. */
async function runImport(oid: string): Promise<string> {
  const [operation] = await sync.open(spaceId)
  return sync.worker.finishImport(await sync.worker.work(operation?.id ?? ''), ['a'], oid)
}

const statuses = async (): Promise<Pick<GitStatusRow, 'commit' | 'state'>[]> =>
  (await setup.db.findBy(GitStatusEntity, { spaceId })).map(({ commit, state }) => ({ commit, state }))

describe('Previews', () => {
  it('A pull request of a webhook is listed, imported standalone, and shown by its key', async () => {
    expect(await sendPull({})).toMatchObject({ started: true, message: 'The pull request is looked at' })
    expect(await list()).toMatchObject([{ number: 7, title: 'Fix', state: 'waiting', access: 'open' }])
    await find([[7, head('1')]])
    const main = setup.content.space(spaceId).revision
    const [operation] = await sync.open(spaceId)
    expect(operation).toMatchObject({ direction: 'import', ref: 'refs/pull/7/head', automatic: true })
    const revision = await runImport(head('1'))
    expect(setup.content.space(spaceId).revision).toBe(main)
    expect(await first()).toMatchObject({ revision, commit: head('1'), head: head('1') })
    expect(await findPreview(await keyOf(7))).toEqual({ revision, isOpen: true })
    expect(await statuses()).toEqual([{ commit: head('1'), state: 'pending' }])
    const { id } = await first()
    expect(await client().getGitPreview({ params: { spaceId, previewId: id } })).toMatchObject({ id, revision })
    const quality = client().getGitPreviewCodeQuality({ params: { spaceId, previewId: id } })
    await expect(quality).rejects.toMatchObject({ code: 'not_found' })
    await setup.db.update(GitPreviewEntity, { id }, { report: reportOf('b.md') })
    expect(await client().getGitPreviewCodeQuality({ params: { spaceId, previewId: id } })).toMatchObject([
      { location: { path: 'b.md' } },
    ])
  })

  it('The commit that a pull request began from leads to the revision of main content that was made of it', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    const revision = await runImport(head('1'))
    const main = setup.content.space(spaceId).revision
    const { id } = await first()
    for (const [base, expected] of [
      ['c1', { base: main }],
      [head('1'), {}],
      ['c9', {}],
    ] as const) {
      await setup.db.update(GitPreviewEntity, { id }, { report: { ...reportOf('b.md'), base } })
      expect(await findPreview(await keyOf(7))).toEqual({ revision, isOpen: true, ...expected })
      expect(await first()).toMatchObject({ report: { base } })
    }
  })

  it('Imports of pull requests take turns, and the synchronisation goes on beside them', async () => {
    await find([])
    await find([
      [1, head('1')],
      [2, head('2')],
    ])
    expect(await sync.open(spaceId)).toMatchObject([{ ref: 'refs/pull/1/head' }])
    expect(await sync.get(spaceId)).toMatchObject({ state: 'synchronized' })
    await runImport(head('1'))
    expect(await sync.open(spaceId)).toMatchObject([{ ref: 'refs/pull/2/head' }])
    await sync.push(spaceId, 'c2')
    await (await sync.poll(spaceId)).finish({ tip: 'c2' })
    expect((await sync.open(spaceId)).map(({ ref }) => ref)).toEqual([branch.ref, 'refs/pull/2/head'])
    const git = await setup.as('read').getSpaceGitInfo({ params: { spaceId } })
    expect(git).toMatchObject({ operation: { state: 'success' } })
  })

  it('Pull requests that were there before are previewed when a webhook names them', async () => {
    await find([[7, head('1')]])
    expect(await list()).toEqual([])
    await sendPull({})
    await find([[7, head('1')]])
    expect(await list()).toMatchObject([{ number: 7, state: 'importing' }])
  })

  it('A commit that is pushed during an import is imported after it, and the first one is never said to be checked', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    await find([[7, head('2')]])
    await runImport(head('1'))
    expect(await first()).toMatchObject({ head: head('2'), state: 'importing' })
    expect(await statuses()).toEqual(
      expect.arrayContaining([
        { commit: head('1'), state: 'error' },
        { commit: head('2'), state: 'pending' },
      ]),
    )
  })

  it('A failed import leaves what the preview shows, and fails its status', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    const revision = await runImport(head('1'))
    await find([[7, head('2')]])
    const [operation] = await sync.open(spaceId)
    const error = { code: 'invalid_configuration' as const, message: 'Line 2 is no YAML', path: '.gitbook.yaml' }
    await sync.worker.fail(await sync.worker.work(operation?.id ?? ''), { error })
    expect(await first()).toMatchObject({ state: 'failed', revision, error, head: head('2') })
    expect(await statuses()).toContainEqual({ commit: head('2'), state: 'failure' })
    expect(await sync.get(spaceId)).toMatchObject({ failures: 0, state: 'synchronized' })
  })

  it.each([
    ['is closed', () => sendPull({ state: 'closed', at: '2026-11-26T10:00:01Z' })],
    ['is merged', () => sendPull({ state: 'closed', merged: true, at: '2026-11-26T10:00:01Z' })],
    ['is for another branch', () => sendPull({ target: 'next', at: '2026-11-26T10:00:01Z' })],
    ['has no ref any more', () => find([])],
    ['is not previewed any more', () => sync.set(spaceId, { direction: 'import', previews: null })],
    ['has no synchronisation any more', () => client().deleteGitSync({ params: { spaceId } })],
    ['is of another repository', () => sync.set(spaceId, { direction: 'import', url: 'https://git.example/other' })],
  ])('The address of a pull request that %s leads nowhere', async (_case, end) => {
    await sendPull({})
    await find([[7, head('1')]])
    await runImport(head('1'))
    const key = await keyOf(7)
    expect(await findPreview(key)).toMatchObject({ isOpen: true })
    await end()
    expect(await findPreview(key)).toEqual({ isOpen: false })
    expect((await list()).filter(({ address, state }) => address !== undefined || state !== 'closed')).toEqual([])
  })

  it('A pull request that is opened again is imported again; earlier states change nothing', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    await sendPull({ state: 'closed', at: '2026-11-26T10:00:02Z' })
    expect(await sendPull({ at: '2026-11-26T10:00:01Z' })).toMatchObject({ started: false })
    expect(await first()).toMatchObject({ state: 'closed' })
    await runImport(head('1'))
    await sendPull({ at: '2026-11-26T10:00:03Z' })
    await find([[7, head('1')]])
    expect(await first()).toMatchObject({ state: 'importing' })
  })
})

const reportOf = (path: string) => ({
  pages: { added: 0, changed: 1, removed: 0 },
  faults: {
    errors: 1,
    warnings: 0,
    items: [
      {
        fingerprint: 'f',
        rule: 'link' as const,
        severity: 'error' as const,
        file: path,
        message: 'The page is not there',
      },
    ],
  },
  roundTrip: { state: 'identical' as const, paths: [] },
})

describe('Access', () => {
  it.each(strangers)('Previews are not shown to those who cannot read the space: %p', async role => {
    await sendPull({})
    const { id } = await first()
    const params = { spaceId, previewId: id }
    for (const call of [
      () => setup.as(role).listGitPreviews({ params: { spaceId } }),
      () => setup.as(role).getGitPreview({ params }),
      () => setup.as(role).getGitPreviewCodeQuality({ params }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  })

  it('A preview is found in its own space only', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    await runImport(head('1'))
    const { id } = await first()
    const key = await keyOf(7)
    const other = await setup.content.aSpace()
    await expect(client().getGitPreview({ params: { spaceId: other, previewId: id } })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await findPreview(key, { spaceId: other })).toEqual({ isOpen: false })
  })

  it('A webhook by another secret changes nothing', async () => {
    await expect(sendPull({}, 'another-secret-of-a-webhook')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await list()).toEqual([])
  })

  it.each<[string, boolean, boolean, boolean]>([
    ['both are for everybody', true, true, true],
    ['the site is for some', false, true, false],
    ['the repository is private', true, false, false],
  ])('Unless the owner says it, a preview is open where %s', async (_case, isPublicSite, isPublic, isOpen) => {
    await sync.set(spaceId, { direction: 'import', previews: { forge: 'github', apiUrl } })
    await sendPull({})
    const poll = await sync.poll(spaceId)
    await poll.finish({ tip: 'c1', pulls: { heads: [{ number: 7, head: head('1') }], isPublic } })
    await runImport(head('1'))
    expect(await findPreview(await keyOf(7), { isPublicSite })).toMatchObject({ isOpen })
  })
})

it('Statuses that wait are deleted with the synchronisation, and its token with them', async () => {
  await sendPull({})
  await find([[7, head('1')]])
  expect(await statuses()).toEqual([{ commit: head('1'), state: 'pending' }])
  await client().deleteGitSync({ params: { spaceId } })
  expect(await statuses()).toEqual([])
  expect(await setup.db.findBy(GitPreviewEntity, { spaceId })).toEqual([])
  expect(await setup.db.query('select status_token from git_syncs where space_id = $1', [spaceId])).toEqual([])
})

describe('Settings', () => {
  it('The token for statuses is never shown or stored in plain text', async () => {
    await sendPull({})
    await find([[7, head('1')]])
    const replies = [await sync.get(spaceId), await list(), await sync.operations(spaceId)]
    expect(replies[0]).toMatchObject({ previews: { forge: 'github', apiUrl, access: 'open', hasStatusToken: true } })
    expect(JSON.stringify(replies)).not.toContain('needle')
    expect(Object.keys(await tableTexts(setup.databaseUrl))).toContain('public.git_statuses')
    expect(JSON.stringify(await tableTexts(setup.databaseUrl))).not.toContain('needle')
  })

  it.each<[string, Parameters<typeof sync.set>[1], boolean]>([
    ['the same repository', {}, true],
    ['previews without a token', { previews: { forge: 'github', apiUrl } }, true],
    ['previews with null', { previews: { forge: 'github', apiUrl, statusToken: null } }, false],
    ['another API', { previews: { forge: 'github', apiUrl: 'https://elsewhere.example/api' } }, false],
  ])('The token after settings with %s', async (_case, settings, hasStatusToken) => {
    await sync.set(spaceId, { direction: 'import', ...settings })
    expect(await sync.get(spaceId)).toMatchObject({ previews: { hasStatusToken } })
  })

  it('The token does not go to another repository', async () => {
    await sync.set(spaceId, { direction: 'import', url: 'https://git.example/other' })
    expect(await sync.get(spaceId)).not.toHaveProperty('previews')
    expect((await sync.rowOf(spaceId)).statusToken).toBeNull()
  })

  it.each<[string, Parameters<typeof sync.set>[1], string]>([
    ['a host that does not say its forge', { previews: {} }, 'body.previews.forge'],
    ['a branch that is only exported to', { direction: 'export', previews: { forge: 'gitea' } }, 'body.previews'],
    [
      'an API with a query',
      { previews: { forge: 'gitea', apiUrl: 'https://git.example/?a=b' } },
      'body.previews.apiUrl',
    ],
  ])('Settings for %s are refused', async (_case, settings, path) => {
    const id = await setup.content.aSpace()
    await expect(sync.set(id, { direction: 'import', ...settings })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path }],
    })
  })

  it('The forge and its API follow from the host', async () => {
    const id = await setup.content.aSpace()
    await sync.set(id, { direction: 'import', url: 'https://gitlab.com/acme/docs', previews: {} })
    expect(await sync.get(id)).toMatchObject({ previews: { forge: 'gitlab', apiUrl: 'https://gitlab.com/api/v4' } })
  })

  it('The token is encrypted anew with a new key', async () => {
    const key = setup.encryptionKey
    const keys = [Buffer.alloc(32, 9).toString('base64url'), key] as const
    const context = { db: setup.db, transaction: (work: never) => transact(setup.db, () => undefined, work) }
    await reencryptCommand(keys)([], { ...context, print: () => undefined } as never)
    const row = await sync.rowOf(spaceId)
    expect(statusApiOf(row, [keys[0]])).toMatchObject({ token: previews.statusToken, apiUrl })
    await reencryptCommand([key, keys[0]])([], { ...context, print: () => undefined } as never)
  })
})
