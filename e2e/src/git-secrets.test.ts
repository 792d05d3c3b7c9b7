import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  aDatabase,
  aGitServer,
  aNatsServer,
  aNatsTap,
  aRepository,
  eventually,
  tableTexts,
  type GitServer,
  type TestDatabase,
  type TestNats,
  type TestRepository,
} from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, request, waitForEnd, type GitOperation } from './walk.ts'

const run = promisify(execFile)
const auth = { username: 'zebra-user', password: 'zebra/secret+7261' }
const token = 'zebra-token-9152'
const wrong = 'zebra-wrong-4410'
const webhookSecret = 'zebra-webhook-3327'
const statusToken = 'zebra-status-5518'
const encoded = (text: string) => Buffer.from(text).toString('base64')
const pair = `${auth.username}:${auth.password}`

/** All forms in which a secret could be seen. */
const forms = [auth.password, token, wrong, webhookSecret, statusToken].flatMap(secret => [
  secret,
  encodeURIComponent(secret),
  encoded(secret),
  Buffer.from(secret).toString('hex'),
])
const secrets = [...forms, encoded(pair), encoded(`${auth.username}:${wrong}`)]
const secretsIn = (text: string) => secrets.filter(secret => text.includes(secret))

let stack: Stack
let git: GitServer
let repository: TestRepository
let nats: TestNats
let tap: Awaited<ReturnType<typeof aNatsTap>>
let databases: { identity: TestDatabase; content: TestDatabase; git: TestDatabase }
const processes: string[] = []

beforeAll(async () => {
  const empty = { template: 'empty', migrate: async () => undefined }
  databases = { identity: await aDatabase(empty), content: await aDatabase(empty), git: await aDatabase(empty) }
  nats = await aNatsServer()
  tap = await aNatsTap(nats.url)
  repository = await aRepository({ files: { 'README.md': '# Home\n' } })
  git = await aGitServer({ repositories: { docs: repository.path }, auth })
  const urls = {
    DATABASE_URL_IDENTITY: databases.identity.url,
    DATABASE_URL_CONTENT: databases.content.url,
    DATABASE_URL_GIT_WORKER: databases.git.url,
  }
  stack = await startStack({ env: { NATS_URL: nats.url, ...urls, LOG_LEVEL: 'trace', RATE_LIMIT: '100000' } })
})

afterAll(async () => {
  await stack?.stop()
  tap?.stop()
  await Promise.all([git.stop(), nats.stop(), ...Object.values(databases).map(database => database.drop())])
  await Promise.all([repository.remove(), removeData(stack.dataDir)])
})

const urlWith = ({ username, password }: typeof auth) =>
  git.url('docs').replace('://', `://${username}:${encodeURIComponent(password)}@`) + `?private_token=${token}`

/** Runs an operation; while the git server holds its first request, the processes are listed. */
async function operate(spaceId: string, direction: 'import' | 'export', url: string): Promise<GitOperation> {
  git.pause()
  const body = { url, ref: 'refs/heads/main', repoTreeURL: url, repoCommitURL: url, repoCacheID: 'shared' }
  const { spaces } = stack.client
  if (direction === 'import')
    await spaces.importGitRepository(spaceId, { ...body, gitInfo: { provider: 'github', url } })
  else await spaces.exportToGitRepository(spaceId, { ...body, commitMessage: 'Export' })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  await eventually(() => expect(git.held()).toBeGreaterThan(0))
  processes.push((await run('ps', ['-eww', '-o', 'args'], { maxBuffer: 1e8 })).stdout)
  git.resume()
  return waitForEnd(stack, spaceId, items[0]?.id ?? '')
}

/** Synchronises a space, with credentials that hold and with others; returns what the API says of it. */
async function synchronised(): Promise<string[]> {
  const { spaceId } = await aSpace(stack)
  const path = `/spaces/${spaceId}/git/sync`
  // Nobody answers there: its failure must not name the token.
  const previews = { forge: 'github', apiUrl: 'http://127.0.0.1:9/api', statusToken }
  const settings = { ref: 'refs/heads/main', direction: 'import', pollInterval: 0, webhookSecret, previews }
  const states = [
    [{ url: urlWith(auth) }, 'synchronized'],
    [{ url: git.url('docs'), credentials: { ...auth, password: wrong } }, 'failing'],
  ] as const
  const texts: string[] = []
  for (const [source, state] of states) {
    const reply = await request(stack, 'PUT', path, { ...settings, ...source })
    const sync = await eventually(async () => {
      const seen = await request<{ state: string }>(stack, 'GET', path)
      expect(seen.state).toBe(state)
      return seen
    })
    texts.push(JSON.stringify([reply, sync]))
  }
  return texts
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(await Promise.all(files.map(async file => [file, await readFile(file, 'latin1')] as const)))
}

describe('the credentials of imports, exports and synchronisations', () => {
  const replies: string[] = []

  it('let them succeed and fail', async () => {
    const { spaceId } = await aSpace(stack)
    const ended = async (direction: 'import' | 'export', url: string) => {
      const operation = await operate(spaceId, direction, url)
      const texts = await Promise.all([
        request(stack, 'GET', `/spaces/${spaceId}/git/operations`),
        request(stack, 'GET', `/spaces/${spaceId}/git/operations/${operation.id}`),
        request(stack, 'GET', `/spaces/${spaceId}`),
        request(stack, 'GET', `/spaces/${spaceId}/revisions`),
      ])
      replies.push(JSON.stringify([operation, texts]))
      return operation
    }
    expect(await ended('import', urlWith(auth))).toMatchObject({ state: 'success' })
    const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: '# New\n' } }]
    await request(stack, 'POST', `/spaces/${spaceId}/content`, { changes })
    expect(await ended('export', urlWith(auth))).toMatchObject({ state: 'success' })
    const refused = { state: 'failure', error: { code: 'authentication_failed' } }
    expect(await ended('import', urlWith({ ...auth, password: wrong }))).toMatchObject(refused)
    const hook = join(repository.path, 'hooks/pre-receive')
    await writeFile(hook, `#!/bin/sh\necho "not for ${pair} with ${token}" >&2\nexit 1\n`)
    await chmod(hook, 0o755)
    await request(stack, 'POST', `/spaces/${spaceId}/content`, { changes })
    expect(await ended('export', urlWith(auth))).toMatchObject({
      state: 'failure',
      error: { code: 'push_rejected', message: expect.stringContaining('not for') },
    })
    expect(git.requests.some(({ path }) => path.includes(token))).toBe(true)
    replies.push(...(await synchronised()))
  })

  it('are in no reply, and in no list of processes', () => {
    expect(replies).toHaveLength(6)
    expect(secretsIn(replies.join())).toEqual([])
    expect(processes).toHaveLength(4)
    expect(secretsIn(processes.join())).toEqual([])
  })

  it('are in no table', async () => {
    const others = { ...(await tableTexts(databases.content.url)), ...(await tableTexts(databases.identity.url)) }
    const texts = await tableTexts(databases.git.url)
    expect(Object.keys(texts)).toEqual(
      expect.arrayContaining(['public.git_operations', 'public.git_syncs', 'public.outbox']),
    )
    expect(Object.keys(others)).toEqual(expect.arrayContaining(['public.repository_work', 'public.users']))
    expect(texts['public.git_operations']).toContain(git.url('docs'))
    const tables = [...Object.entries(texts), ...Object.entries(others)]
    expect(tables.flatMap(([table, text]) => secretsIn(text).map(secret => [table, secret]))).toEqual([])
  })

  it('are in no log, no clone and no other file', async () => {
    const files = await filesOf(stack.dataDir)
    const names = Object.keys(files)
    expect(names.some(name => name.includes('/logs/') && files[name]?.includes('exported'))).toBe(true)
    expect(names.some(name => name.endsWith('.pack'))).toBe(true)
    expect(Object.entries(files).flatMap(([file, text]) => secretsIn(text).map(secret => [file, secret]))).toEqual([])
    expect(secretsIn(stack.output)).toEqual([])
  })

  it('are in no stored message, no event and no call: only in requests of the caller', () => {
    const subjectOf = new Map(tap.messages.flatMap(({ subject, replyTo }) => (replyTo ? [[replyTo, subject]] : [])))
    const subjects = new Set(tap.messages.map(({ subject }) => subject))
    expect([...subjects]).toEqual(expect.arrayContaining(['jobs.git.import', 'jobs.git.export']))
    expect([...subjects].some(subject => subject.startsWith('events.'))).toBe(true)
    const seen = tap.messages
      .filter(({ bytes }) => secretsIn(bytes.toString('latin1')).length > 0)
      .map(({ subject }) => subjectOf.get(subject) ?? subject)
    expect([...new Set(seen)].toSorted()).toEqual([
      'api.git-worker.exportToGitRepository',
      'api.git-worker.importGitRepository',
      'api.git-worker.setGitSync',
    ])
    expect(secretsIn([...subjects].join())).toEqual([])
  })
})
