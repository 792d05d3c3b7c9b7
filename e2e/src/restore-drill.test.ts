import { existsSync } from 'node:fs'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  aGitServer,
  aRepository,
  eventually,
  freePort,
  type GitServer,
  rowsOf,
  type TestRepository,
  removeFolder,
} from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { databaseUrl } from './databases.ts'
import { manual } from './fixtures/manual.ts'
import { aPerson, sendRaw } from './people.ts'
import { recto } from './recto.ts'
import { absentEngine, startStack, type Stack } from './stack.ts'
import { readTenant } from './tenant-readings.ts'
import { aTenant, type Tenant } from './tenant.ts'
import { aSpace, importRepository, request } from './walk.ts'

let folder: string
let git: GitServer
let repository: TestRepository
let env: Record<string, string>
let stack: Stack
let tenant: Tenant

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-drill-'))
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  // Both installations have one address, as replies contain it.
  env = { PORT: String(await freePort()), RATE_LIMIT: '100000', READER_URL: 'https://reader.test', ...absentEngine }
  stack = await startStack({ dataDir: join(folder, 'data'), env })
  tenant = await aTenant(stack, git.url('manual'))
})

afterAll(async () => {
  await stack.stop()
  await git.stop()
  await Promise.all([repository.remove(), removeFolder(folder)])
})

function addPage(spaceId: string, title: string): Promise<unknown> {
  const change = { operation: 'insert_page', title, document: { markdown: `# ${title}\n\nSome words.\n` } }
  return request(stack, 'POST', `/spaces/${spaceId}/content`, { changes: [change] })
}

/** Adds pages until it is stopped; counts those that were acknowledged. */
function writePages(spaceId: string): { count(): number; stop(): Promise<number> } {
  let count = 0
  let stopped = false
  const writing = (async () => {
    while (!stopped) {
      await addPage(spaceId, `Page ${count}`)
      count += 1
    }
  })()
  const stop = async () => {
    stopped = true
    await writing
    return count
  }
  return { count: () => count, stop }
}

/** Settings that the API takes, and does not show. */
const condition = 'visitor.claims.drilled'

/** Sets what pages, groups and links can have. */
async function setEverything(spaceId: string): Promise<void> {
  const settings = { icon: 'star', hidden: true, noIndex: true, condition }
  const changes = [
    { operation: 'insert_page', type: 'group', title: 'The group', ref: 'group', ...settings },
    { operation: 'insert_page', type: 'link', title: 'The link', href: 'https://a.example', ...settings },
    { operation: 'insert_page', title: 'The page', into: 'group', emoji: '1f680', slug: 'by-hand', ...settings },
  ]
  await request(stack, 'POST', `/spaces/${spaceId}/content`, { changes })
}

/** The records of content with those settings, as they are stored. */
function storedSettings(dataDir: string): Promise<unknown[]> {
  return rowsOf(
    databaseUrl(dataDir, 'content'),
    `select * from tree_nodes where body like '%${condition}%' order by hash`,
  )
}

describe('npm run recto', () => {
  it('lists its commands, and refuses others', async () => {
    const refused = (message: RegExp, ...args: string[]) =>
      expect(recto(stack.dataDir, ...args)).rejects.toMatchObject({ stderr: expect.stringMatching(message) })
    const [commands] = await Promise.all([
      recto(stack.dataDir),
      refused(/no command backpu/, 'backpu'),
      refused(/no such user/, 'tokens', 'no@body.test'),
    ])
    expect(commands).toMatch(/backup <folder>.*revoke <token>/s)
    const nothing = join(folder, 'nothing')
    await expect(recto(nothing, 'users')).rejects.toMatchObject({
      stderr: `There is no installation in ${nothing}: set DATA_DIR.\n`,
    })
    expect(existsSync(nothing)).toBe(false)
  })

  it('revokes a token of another person while the installation runs', async () => {
    const person = await aPerson(stack)
    const whoAmI = () => sendRaw(stack.url, person, { method: 'GET', path: '/user' })
    const { email } = person
    const [users, tokens] = await Promise.all([
      recto(stack.dataDir, 'users', email.slice(0, 12)),
      recto(stack.dataDir, 'tokens', email),
    ])
    expect(users).toContain(`\t${email}\t`)
    const [, line = ''] = tokens.split('\n')
    expect(await recto(stack.dataDir, 'revoke', line.split('\t')[0] ?? '')).toBe('1 of 1 tokens were revoked.\n')
    await eventually(async () => expect((await whoAmI()).status).toBe(401))
  })

  it('finds no fault in the content, and no message that waits for long', async () => {
    const [check, messages, operations] = await Promise.all([
      recto(stack.dataDir, 'check', '--mend'),
      recto(stack.dataDir, 'messages'),
      recto(stack.dataDir, 'operations'),
    ])
    expect(check).toMatch(/0 pieces of content are missing; \d+ unnamed ones and 0 wrong counts/)
    expect(messages).toMatch(/identity:\nid\tsubject.*openapi-specs:/s)
    expect(operations).toMatch(/^id\tspace/)
  })
})

it('a backup that is made while pages are written is restored into a new installation with everything', async () => {
  const { spaceId } = await aSpace(stack)
  const before = await readTenant(stack, tenant)
  await setEverything((await aSpace(stack)).spaceId)
  const settings = await storedSettings(join(folder, 'data'))
  expect(settings.length).toBeGreaterThan(0)
  const writer = writePages(spaceId)
  const backups = join(folder, 'backups')
  const atStart = await eventually(() => {
    expect(writer.count()).toBeGreaterThan(2)
    return writer.count()
  })
  const printed = await recto(stack.dataDir, 'backup', backups)
  const atEnd = await writer.stop()
  expect(printed).toContain(`is in ${backups}`)
  expect(await recto(stack.dataDir, 'verify', backups)).toContain('can be restored')
  await stack.stop()

  const dataDir = join(folder, 'restored')
  await recto(dataDir, 'restore', backups)
  expect((await stat(join(dataDir, 'blobs'))).mode & 0o077).toBe(0)
  stack = await startStack({ dataDir, env })
  expect(await readTenant(stack, tenant)).toEqual(before)
  expect(before.filter(reply => reply.includes('"status":200')).length).toBeGreaterThan(80)
  expect(await storedSettings(dataDir)).toEqual(settings)
  const { pages } = await request<{ pages: { title: string }[] }>(stack, 'GET', `/spaces/${spaceId}/content/pages`)
  const titles = pages.map(({ title }) => title).filter(title => title.startsWith('Page '))
  expect(titles.length).toBeGreaterThanOrEqual(atStart)
  expect(titles.length).toBeLessThanOrEqual(atEnd)
  expect(new Set(titles)).toEqual(new Set(Array.from(titles, (_title, index) => `Page ${index}`)))
  expect(atEnd).toBeGreaterThan(atStart)

  await addPage(spaceId, 'After the restore')
  const { spaceId: another } = await aSpace(stack)
  expect(await importRepository(stack, another, git.url('manual'))).toMatchObject({ state: 'success' })
})

it('secrets are rotated: what the one before signed is accepted until the rotation is finished', async () => {
  const { dataDir } = stack
  const restart = async () => {
    await stack.stop()
    stack = await startStack({ dataDir, env })
  }
  const { spaceId } = await aSpace(stack)
  await importRepository(stack, spaceId, git.url('manual'))
  const webhookSecret = 'the-secret-of-the-webhooks'
  const sync = { url: git.url('manual'), ref: 'refs/heads/main', direction: 'import', pollInterval: 0, webhookSecret }
  await request(stack, 'PUT', `/spaces/${spaceId}/git/sync`, sync)
  const push = async (token: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': token }
    const body = JSON.stringify({ ref: 'refs/heads/another', after: '0'.repeat(40) })
    return (await fetch(`${stack.url}/v1/spaces/${spaceId}/git/webhook`, { method: 'POST', headers, body })).status
  }
  const [file] = (await stack.client.spaces.listFiles(spaceId)).data.items
  const downloads = async () => (await fetch(file?.downloadURL ?? '')).status
  for (const secret of ['signing-secret', 'encryption-key']) await recto(dataDir, 'rotate', secret)
  await restart()
  expect(await downloads()).toBe(200)
  for (const secret of ['signing-secret', 'encryption-key'])
    expect(await recto(dataDir, 'rotate', secret, '--finish')).toMatch(/accepts the new/)
  await restart()
  expect(await downloads()).toBe(404)
  // The stored secret of the webhook is readable with the new key alone.
  expect(await push(webhookSecret)).toBe(200)
  expect(await push('another')).toBe(401)
})
