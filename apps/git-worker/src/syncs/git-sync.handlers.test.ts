import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signatureOf } from './webhook.rules.ts'
import { aSynchronisation, branch, secret } from '../test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)
const body = { ...branch, direction: 'both' as const }
const password = 'hunter2'

/** Everything stored and sent about synchronisations, as text. */
async function everything(spaceId: string): Promise<string> {
  const tables = ['git_syncs', 'git_operations', 'outbox', 'idempotent_requests']
  const rows = await Promise.all(tables.map(table => setup.db.query(`select to_jsonb(t)::text as row from ${table} t`)))
  return JSON.stringify([rows, await sync.get(spaceId), await sync.operations(spaceId)])
}

describe('Synchronisations', () => {
  it.each(roles)('The synchronisation of a space is set up, seen and ended by %s', async role => {
    const params = { spaceId: await setup.content.aSpace() }
    await sync.set(params.spaceId)
    const client = setup.as(role)
    const tried = [
      () => client.setGitSync({ params, body }),
      () => client.getGitSync({ params }),
      () => client.deleteGitSync({ params }),
    ]
    const outcomes: unknown[] = []
    for (const attempt of tried)
      outcomes.push(
        await attempt().then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      )
    const may = role === 'create' || role === 'admin'
    expect(outcomes).toEqual(Array(3).fill(may ? 'done' : 'forbidden'))
  })

  it('The synchronisation of a space is not found by those who do not see the space', async () => {
    const params = { spaceId: await setup.content.aSpace() }
    await sync.set(params.spaceId)
    const outsider = setup.as(undefined)
    for (const attempt of [
      () => outsider.setGitSync({ params, body }),
      () => outsider.getGitSync({ params }),
      () => outsider.deleteGitSync({ params }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    [{ url: 'ssh://git.example/x' }, 'body.url'],
    [{ ref: 'main' }, 'body.ref'],
    [{ direction: 'sideways' as 'both' }, 'body.direction'],
    [{ pollInterval: 9 }, 'body.pollInterval'],
    [{ pollInterval: 86_401 }, 'body.pollInterval'],
    [{ pollInterval: 60.5 }, 'body.pollInterval'],
    [{ webhookSecret: 'short' }, 'body.webhookSecret'],
    [{ webhookSecret: 'a secret with spaces in it' }, 'body.webhookSecret'],
    [{ commitMessageTemplate: '' }, 'body.commitMessageTemplate'],
    [{ credentials: { username: 'user', password: '' } }, 'body.credentials.password'],
    [{ url: 'https://u:p@git.example/x', credentials: { username: 'a', password: 'b' } }, 'body.credentials'],
    [{ url: 'https://u:p@git.example/x', credentials: null }, 'body.credentials'],
    [{ url: 'https://git.example/x?token=y', credentials: { username: 'a', password: 'b' } }, 'body.credentials'],
    [{ initial: 'both' as 'import' }, 'body.initial'],
    [{ repoProjectDirectory: 'a\0b' }, 'body.repoProjectDirectory'],
  ])('The synchronisation of a space is refused with %j', async (settings, path) => {
    const spaceId = await setup.content.aSpace()
    await expect(sync.set(spaceId, settings)).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
    await expect(sync.get(spaceId)).rejects.toMatchObject({ code: 'not_found' })
    expect(await sync.operations(spaceId)).toEqual([])
  })

  it('The synchronisation of a space shows its settings and its first operation, and the secret of the webhook once', async () => {
    const spaceId = await setup.content.aSpace()
    const settings = { direction: 'import' as const, repoProjectDirectory: 'docs', pollInterval: 60 }
    const made = await setup.as('create').setGitSync({ params: { spaceId }, body: { ...branch, ...settings } })
    expect(made).toMatchObject({
      object: 'git-sync',
      ...branch,
      ...settings,
      hasCredentials: false,
      state: 'synchronizing',
      initial: 'import',
      webhook: {
        url: `http://recto.test/v1/spaces/${spaceId}/git/webhook`,
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
      failures: 0,
      lastImport: { state: 'queued', automatic: true },
      createdBy: 'user-create',
    })
    const seen = await sync.get(spaceId)
    expect(seen.webhook).toEqual({ url: made.webhook.url })
    expect(seen).toEqual({ ...made, webhook: seen.webhook })
    expect(setup.content.space(spaceId).repository).toMatchObject({ repoName: 'docs', url: branch.url })
    expect(await everything(spaceId)).not.toContain(made.webhook.secret ?? 'no secret')
  })

  it.each([
    ['https://github.com/a/docs.git', 'github'],
    ['https://gitlab.com/a/docs', 'gitlab'],
    ['https://git.example/docs', 'github-legacy'],
  ])('The synchronisation of a space with the URL %s shows the provider %s', async (url, installationProvider) => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId, { url })
    const info = await setup.as('read').getSpaceGitInfo({ params: { spaceId } })
    expect(info.installationProvider).toBe(installationProvider)
    expect(info).toMatchObject({ installationId: '', installationStatus: 'unauthenticated' })
  })

  it.each([
    [
      { url: `https://user:${password}@git.example/docs.git?private_token=${password}` },
      { query: `?private_token=${password}` },
    ],
    [{ credentials: { username: 'user', password } }, {}],
  ])('The synchronisation of a space keeps the credentials of %j to itself and its worker', async (settings, more) => {
    const spaceId = await setup.content.aSpace()
    expect(await sync.set(spaceId, settings)).toMatchObject({ hasCredentials: true, url: branch.url })
    const work = await sync.start(spaceId, 'import')
    expect(work).toMatchObject({ url: branch.url, credentials: { username: 'user', password, ...more } })
    expect(await everything(spaceId)).not.toContain(password)
  })

  it('The synchronisation of a space keeps credentials and secret while the URL is the same, replaces them, and forgets them', async () => {
    const spaceId = await setup.content.aSpace()
    const credentials = { username: 'user', password }
    await sync.set(spaceId, { credentials })
    await sync.import(spaceId, ['a'], 'c1')
    const updated = await setup.as('create').setGitSync({ params: { spaceId }, body: { ...body, pollInterval: 60 } })
    expect(updated).toMatchObject({ hasCredentials: true, pollInterval: 60, commit: 'c1' })
    expect(updated.webhook.secret).toBeUndefined()
    expect(await sync.push(spaceId, 'c1')).toMatchObject({ started: false })
    expect((await sync.poll(spaceId)).work).toMatchObject({ credentials })
    const renewed = await sync.set(spaceId, { credentials: null, webhookSecret: null })
    expect(renewed).toMatchObject({ hasCredentials: false, webhook: { secret: expect.any(String) } })
    await expect(sync.push(spaceId, 'c1')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await sync.push(spaceId, 'c1', { by: renewed.webhook.secret ?? '' })).toMatchObject({ started: false })
  })

  it('The synchronisation of a space takes credentials and a secret in place of those whose key is lost', async () => {
    const spaceId = await setup.content.aSpace()
    const credentials = { username: 'user', password }
    await sync.set(spaceId, { credentials })
    const lost = `update git_syncs set credentials = decode(repeat('00', 40), 'hex'), webhook_secret = decode(repeat('00', 40), 'hex')`
    await setup.db.query(`${lost} where space_id = $1`, [spaceId])
    const renewed = await sync.set(spaceId, { credentials, webhookSecret: null })
    expect(renewed).toMatchObject({ hasCredentials: true, webhook: { secret: expect.any(String) } })
    expect(await sync.start(spaceId, 'import')).toMatchObject({ credentials })
  })

  it('The synchronisation of a space never sends the credentials of one repository to another', async () => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId, { credentials: { username: 'user', password } })
    const [first] = await sync.open(spaceId)
    const moved = await setup
      .as('create')
      .setGitSync({ params: { spaceId }, body: { ...body, url: 'https://evil.example/docs.git' } })
    expect(moved).toMatchObject({ hasCredentials: false, webhook: { secret: expect.any(String) }, initial: 'import' })
    // The operation of the former repository does nothing any more.
    expect(await sync.worker.start(first?.id ?? '')).toBe('done')
    expect((await sync.operations(spaceId)).find(({ id }) => id === first?.id)).toMatchObject({ state: 'skipped' })
    const work = await sync.start(spaceId, 'import')
    expect(work).toMatchObject({ url: 'https://evil.example/docs.git' })
    expect(work).not.toHaveProperty('credentials')
  })

  it('A synchronisation that is set up again goes on, and starts again with another branch', async () => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId)
    await sync.import(spaceId, ['a'], 'c1')
    const again = await sync.set(spaceId, { initial: 'export', commitMessageTemplate: 'docs' })
    expect(again).toMatchObject({ state: 'synchronized', commit: 'c1', commitMessageTemplate: 'docs' })
    expect(again).not.toHaveProperty('initial')
    expect(await sync.open(spaceId)).toEqual([])
    const other = await sync.set(spaceId, { ref: 'refs/heads/other', initial: 'export' })
    expect(other).toMatchObject({ initial: 'export', lastExport: { state: 'queued' } })
    expect(other).not.toHaveProperty('commit')
    expect(await sync.start(spaceId, 'export')).toMatchObject({ force: true, ref: 'refs/heads/other' })
  })

  it.each([
    ['import', undefined, 'import'],
    ['export', undefined, 'export'],
    ['both', undefined, 'import'],
    ['both', 'export', 'export'],
    ['export', 'import', 'import'],
    ['import', 'export', 'export'],
  ] as const)(
    'A synchronisation in the direction %s with %s at first begins with an %s',
    async (direction, initial, first) => {
      const spaceId = await setup.content.aSpace()
      await sync.set(spaceId, { direction, ...(initial && { initial }) })
      expect(await sync.open(spaceId)).toMatchObject([{ direction: first }])
    },
  )

  it('A synchronisation that is ended forgets its secrets, and its operations do nothing any more', async () => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId, { credentials: { username: 'user', password } })
    await sync.fail(spaceId, 'import', 'authentication_failed')
    const [failed] = await sync.operations(spaceId)
    await setup.as('create').deleteGitSync({ params: { spaceId } })
    await setup.as('create').deleteGitSync({ params: { spaceId } })
    await expect(sync.get(spaceId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(sync.push(spaceId, 'c9')).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(setup.as('create').getSpaceGitInfo({ params: { spaceId } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const retried = setup.as('create').retryGitOperation({ params: { spaceId, operationId: failed?.id ?? '' } })
    await expect(retried).rejects.toMatchObject({ code: 'conflict' })
    expect(await setup.db.query('select 1 from git_syncs where space_id = $1', [spaceId])).toEqual([])
  })

  it('The synchronisation of a space is not set up or ended while the space is deleted, and is paused', async () => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId)
    setup.content.remove(spaceId)
    await expect(sync.set(spaceId)).rejects.toMatchObject({ code: 'conflict' })
    await expect(setup.as('create').deleteGitSync({ params: { spaceId } })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await sync.get(spaceId)).toMatchObject({ state: 'paused' })
  })

  it('A synchronisation that is set up twice with one idempotency key generates one secret', async () => {
    const params = { spaceId: await setup.content.aSpace() }
    const request = { params, body, conditions: { idempotencyKey: 'a-key' } }
    const replies = [await setup.conditional('setGitSync', request), await setup.conditional('setGitSync', request)]
    const [first, second] = replies.map(({ body }) => JSON.parse(Buffer.from(body as Uint8Array).toString()) as object)
    expect(second).toEqual(first)
    expect(first).toMatchObject({ webhook: { secret: expect.any(String) } })
  })
})

describe('Webhooks', () => {
  const refused = async (spaceId: string, by: string) =>
    sync.push(spaceId, 'c9', { by }).then(
      () => undefined,
      (error: { code: string; message: string }) => [error.code, error.message],
    )

  const pushKeyOf = (spaceId: string) => setup.webhookKeyOf(spaceId)

  it('A webhook is refused alike with a wrong signature, without a synchronisation and without a space', async () => {
    const withSync = await setup.content.aSpace()
    const without = await setup.content.aSpace()
    await sync.set(withSync)
    const refusals = await Promise.all([withSync, without, 'nothing'].map(space => refused(space, 'another-secret')))
    expect(refusals[0]).toEqual(['unauthenticated', expect.stringMatching(/signature/)])
    expect(refusals).toEqual(Array(3).fill(refusals[0]))
    expect(await sync.open(withSync)).toHaveLength(1)
  })

  it('A signed webhook that was hashed while it arrived requests a poll of the branch, without its body', async () => {
    const spaceId = await sync.synchronised('both')
    const key = await pushKeyOf(spaceId)
    const body = Buffer.alloc(2_000_000, 'x')
    const send = (signature: string, event = 'push') => {
      const headers = { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signatureOf(secret, body)}` }
      const call = { params: { spaceId }, raw: Buffer.alloc(0), signature, headers }
      return setup.as(undefined).receiveGitPush(call)
    }
    await expect(send(signatureOf('another-secret', body))).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await send(signatureOf(key, body), 'issues')).toMatchObject({ started: false })
    expect(await sync.isPolled(spaceId)).toBe(false)
    expect(await send(signatureOf(key, body))).toMatchObject({ started: true })
    expect(await sync.isPolled(spaceId)).toBe(true)
  })

  it('A webhook without a synchronisation gets a useless key', async () => {
    const keys = await Promise.all([await setup.content.aSpace(), 'nothing'].map(spaceId => pushKeyOf(spaceId)))
    for (const key of keys) expect([key.length, key === secret]).toEqual([64, false])
  })

  it('A webhook is refused without a signature', async () => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId)
    const sent = setup.as(undefined).receiveGitPush({ params: { spaceId }, raw: Buffer.from('{}') })
    await expect(sent).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it.each([
    [{ 'x-gitlab-event': 'Push Hook' }, 'nonsense', { code: 'invalid_request', details: [{ path: 'body' }] }],
    [{ 'x-gitlab-event': 'Push Hook' }, '{"ref": 1}', { code: 'invalid_request', details: [{ path: 'body' }] }],
  ])('A signed webhook that is no push is refused: %j %j', async (headers, text, error) => {
    const spaceId = await setup.content.aSpace()
    await sync.set(spaceId)
    const signed = { ...headers, 'x-gitlab-token': secret }
    const sent = setup.as(undefined).receiveGitPush({ params: { spaceId }, headers: signed, raw: Buffer.from(text) })
    await expect(sent).rejects.toMatchObject(error)
  })
})
