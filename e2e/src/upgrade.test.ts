import { execFile } from 'node:child_process'
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { aGitServer, aRepository, eventually, type GitServer, type TestRepository, removeFolder } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sendRaw } from './people.ts'
import { recto } from './recto.ts'
import { startStack, type Stack } from './stack.ts'
import { aSpace } from './walk.ts'

const run = promisify(execFile)
/** A backup that the release before this version made, and what its API answered: docs/operations/upgrades.md says how to make another. */
const release = join(import.meta.dirname, 'fixtures/release-0.1.0.tar.gz')
const auth = { username: 'reader', password: 'stored by the release before' }
const webhookSecret = 'the-secret-of-the-webhooks'

let folder: string
let dataDir: string
let stack: Stack
let server: GitServer
let repository: TestRepository
let recorded: { email: string; replies: Record<string, object> }
/** The synchronised space of the release before. */
let spaceId: string

interface TableCopy {
  name: string
  columns: string[]
  sha256: string
}
type Row = Record<string, string>

interface Manifest {
  takenAt: string
  databases: { name: string; tables: TableCopy[] }[]
}

/** Days for which the data of the release before has lain there: things in the trash are deleted after seven. */
const ageDays = 2
const day = 86_400_000

/** Moves the times of a text by whole days, however it writes them. */
function moveTimes(text: string, days: number): string {
  const moved = (date: string) => new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
  return text.replace(/\b20\d\d-\d\d-\d\d(?=[ T]\d\d:\d\d:)/g, moved)
}

/** Days from the time of a backup to that of one which is `ageDays` old. */
const daysToMove = ({ takenAt }: Manifest) => Math.floor((Date.now() - Date.parse(takenAt)) / day) - ageDays

/** The folder of the backup, which has its time as its name. */
async function backupFolder(): Promise<string> {
  const [backup = ''] = (await readdir(folder)).filter(name => /^\d{4}-/.test(name))
  return join(folder, backup)
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(await backupFolder(), 'manifest.json'), 'utf8')) as Manifest
}

/** Changes the text of tables in the backup, as if the release before had written them so. */
async function changeTables(change: (text: string, table: TableCopy, database: string) => string): Promise<void> {
  const path = await backupFolder()
  const manifest = await readManifest()
  for (const { name, tables } of manifest.databases)
    for (const table of tables) {
      const file = join(path, name, `${table.name}.copy.gz`)
      const text = gunzipSync(await readFile(file)).toString()
      const bytes = gzipSync(change(text, table, name))
      await writeFile(file, bytes)
      table.sha256 = createHash('sha256').update(bytes).digest('hex')
    }
  await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest))
}

/** Changes the synchronisation of the release before; resolves to its row. */
async function changeSync(change: (row: Row, key: Buffer) => Row): Promise<Row> {
  const text = await readFile(join(await backupFolder(), 'secrets/secrets.json'), 'utf8')
  const { encryptionKey } = JSON.parse(text) as { encryptionKey: string }
  let sync: Row = {}
  await changeTables((copy, { name, columns }, database) => {
    if (database !== 'content' || name !== 'git_syncs') return copy
    const values = copy.trimEnd().split('\t')
    const row = Object.fromEntries(values.map((value, at) => [columns[at] ?? '', value]))
    sync = change(row, Buffer.from(encryptionKey, 'base64url'))
    return `${columns.map(column => sync[column]).join('\t')}\n`
  })
  return sync
}

/** A value as the release before encrypted it, in the format of `copy`. */
function sealed(value: unknown, context: string, key: Buffer): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return `\\\\x${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('hex')}`
}

/** Sends a push as GitHub does, with the secret that the release before has stored. */
async function push(commit: string): Promise<number> {
  const body = JSON.stringify({ ref: 'refs/heads/main', after: commit })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` }
  const reply = await fetch(`${stack.url}/v1/spaces/${spaceId}/git/webhook`, { method: 'POST', headers, body })
  return reply.status
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-upgrade-'))
  dataDir = join(folder, 'data')
  await run('tar', ['-xzf', release, '-C', folder])
  repository = await aRepository({ files: { 'README.md': '# Pushed before the upgrade\n' } })
  server = await aGitServer({ repositories: { docs: repository.path }, auth })
  const sync = await changeSync(({ id = '', ...row }, key) => ({
    ...row,
    id,
    url: server.url('docs'),
    credentials: sealed(auth, id, key),
    webhook_secret: sealed(webhookSecret, `webhook ${id}`, key),
  }))
  spaceId = sync['space_id'] ?? ''
  const days = daysToMove(await readManifest())
  await changeTables(text => moveTimes(text, days))
  await recto(dataDir, 'restore', folder)
  stack = await startStack({ dataDir, env: { RATE_LIMIT: '100000', READER_URL: 'https://reader.test' } })
  const text = await readFile(join(folder, 'replies.json'), 'utf8')
  recorded = JSON.parse(moveTimes(text, days).replaceAll('{url}', stack.url)) as typeof recorded
  const path = `/spaces/${spaceId}/git/sync`
  recorded.replies[path] = { ...recorded.replies[path], url: server.url('docs'), hasCredentials: true }
})

afterAll(async () => {
  await stack.stop()
  await server.stop()
  await repository.remove()
  await removeFolder(folder)
})

/** Who sees a site is listed by the time of joining now, and was by the id. */
function inOrder(path: string, body: unknown): unknown {
  if (!/\/sites\/\w+\/permissions\/aggregate$/.test(path)) return body
  const { items, ...list } = body as { items: { user: { id: string } }[] }
  return { ...list, items: items.toSorted((one, other) => one.user.id.localeCompare(other.user.id)) }
}

it('the data of the release before is upgraded: everything reads as it did, and can be changed', async () => {
  const token = (await recto(dataDir, 'issue', recorded.email)).trim()
  // The list of tokens has another one now.
  const { '/user/tokens': _tokens, ...replies } = recorded.replies
  for (const [path, body] of Object.entries(replies)) {
    const reply = await sendRaw(stack.url, { token }, { method: 'GET', path })
    // A later version may say more than the earlier one.
    const seen = { path, status: reply.status, body: inOrder(path, reply.body) }
    expect(seen).toMatchObject({ path, status: 200, body: inOrder(path, body) })
  }
  expect(Object.keys(replies).length).toBeGreaterThan(150)
  expect(await recto(dataDir, 'check', '--mend')).toMatch(/0 pieces of content are missing/)
  await aSpace(stack)
})

it('A synchronisation of the release before goes on with its webhook and its credentials, and its operations are in the same queue', async () => {
  const token = (await recto(dataDir, 'issue', recorded.email)).trim()
  const read = async <T>(path: string, method = 'GET') =>
    (await sendRaw(stack.url, { token }, { method, path })).body as T
  const operations = `/spaces/${spaceId}/git/operations`
  const before = await read<{ items: { id: string; state: string }[]; count: number }>(operations)
  const failed = before.items.find(({ state }) => state === 'failure')
  expect(await push(repository.commit)).toBe(200)
  await eventually(async () =>
    expect(await read(`/spaces/${spaceId}/git/sync`)).toMatchObject({
      state: 'synchronized',
      commit: repository.commit,
      failures: 0,
      lastImport: { state: 'success', automatic: true },
    }),
  )
  expect((await read<{ count: number }>(operations)).count).toBe(before.count + 1)
  // A later one has finished.
  expect(await read(`${operations}/${failed?.id}/retry`, 'POST')).toMatchObject({ id: failed?.id, state: 'skipped' })
})
