import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aGitServer, aRepository, cloneBundle, eventually, sharedBundle, type GitServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { sendRaw, type RawRequest } from './people.ts'
import { healthUrlOf, isReady } from './replicas.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'
import { aSpace, waitForEnd, importRepository, request, type GitOperation } from './walk.ts'

let git: GitServer
let stack: Stack
let remove: () => Promise<void>

/** Raises the rate limit, because the tests send requests continuously. */
const start = (dataDir?: string) =>
  startStack({ env: { ...usualTime, RATE_LIMIT: '1000000' }, ...(dataDir !== undefined && { dataDir }) })

beforeAll(async () => {
  const bundle = sharedBundle('fluentd-docs.bundle')
  if (!bundle)
    console.warn('../shared/data/fluentd-docs.bundle is not there: a repository of our own is imported instead')
  // Texts that do not compress: the pack of the documents is larger than what passes before a stall.
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`pages/page-${at}.md`, `# Page ${at}\n\n${randomText(2_000)}\n`]),
  )
  const repository = bundle
    ? await cloneBundle(bundle)
    : await aRepository({ files: { 'README.md': '# All\n', ...many } })
  const small = await aRepository({ files: manual })
  remove = async () => void (await Promise.all([repository.remove(), small.remove()]))
  git = await aGitServer({ repositories: { large: repository.path, copy: repository.path, manual: small.path } })
  stack = await start()
})

afterAll(async () => {
  await stack.stop()
  await git.stop()
  await removeData(stack.dataDir)
  await remove()
})

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

async function requestImport(spaceId: string, name: string): Promise<string> {
  await stack.client.spaces.importGitRepository(spaceId, { url: git.url(name), ref: 'refs/heads/main' })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations`)
  return items[0]?.id ?? ''
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Imports of a large repository whose worker is killed; the next worker takes them over once their leases have ended. */
interface Interrupted {
  spaceId: string
  operationId: string
}
const interrupted = new Map<string, Interrupted>()

/** Kills the worker while it fetches one import and hands another over: the tests of other processes run until both are taken over. */
async function killWorker(): Promise<void> {
  const begin = async (stage: string, name: string) => {
    const { spaceId } = await aSpace(stack)
    const operationId = await requestImport(spaceId, name)
    interrupted.set(stage, { spaceId, operationId })
    return () => request<GitOperation>(stack, 'GET', `/spaces/${spaceId}/git/operations/${operationId}`)
  }
  git.stallPacks(20_000)
  await begin('repo_fetch', 'large')
  await eventually(() => expect(git.held()).toBeGreaterThan(0))
  git.letPass()
  const handedOver = await begin('content_process', 'copy')
  await eventually(async () => expect((await handedOver()).stage ?? 'repo_fetch').not.toBe('repo_fetch'))
  const pid = stack.pidOf('git-worker')
  process.kill(pid, 'SIGKILL')
  await eventually(() => expect(isAlive(pid)).toBe(false))
  git.resume()
}

/** Expects that a process which is killed starts again, and that an import completes afterwards. */
async function expectRestart(name: string): Promise<void> {
  const { spaceId } = await aSpace(stack)
  const pid = stack.pidOf(name)
  process.kill(pid, 'SIGKILL')
  await eventually(() => expect(isAlive(pid)).toBe(false))
  await eventually(async () => expect((await stack.client.spaces.getSpaceById(spaceId)).data.id).toBe(spaceId))
  // The gateway may have cached the actor: this request reaches identity.
  await eventually(() => stack.client.user.getAuthenticatedUser())
  const operation = await eventually(() => importRepository(stack, spaceId, git.url('manual')))
  expect(operation).toMatchObject({ state: 'success' })
}

describe('kill -9', () => {
  beforeAll(killWorker)

  // These do not keep the next worker from the imports.
  it.each(['identity', 'gateway'])('of %s: the launcher restarts it and nothing is lost', expectRestart)

  it.each([
    ['while it fetches', 'repo_fetch'],
    ['while it hands over', 'content_process'],
  ])('of the worker %s: the import completes, once', async (_case, stage) => {
    const { spaceId, operationId } = interrupted.get(stage) as Interrupted
    const operation = await waitForEnd(stack, spaceId, operationId)
    expect(operation).toMatchObject({ state: 'success' })
    expect((await stack.client.spaces.getCurrentRevision(spaceId)).data).toMatchObject({ id: operation.revision })
    const { parents } = (await stack.client.spaces.getCurrentRevision(spaceId)).data
    const first = (await stack.client.spaces.getRevisionById(spaceId, parents[0] ?? '')).data
    expect([parents.length, first.pages, first.parents]).toEqual([1, [], []])
  })

  it.each(['content', 'nats', 'postgres'])('of %s: the launcher restarts it and nothing is lost', expectRestart)

  it('of the launcher: its processes exit, and the next start has the data', async () => {
    const { spaceId } = await aSpace(stack)
    const operation = await importRepository(stack, spaceId, git.url('manual'))
    const pids = ['gateway', 'identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events'].map(name =>
      stack.pidOf(name),
    )
    const { dataDir, token } = stack
    stack.launcher.kill('SIGKILL')
    await once(stack.launcher, 'exit')
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]))
    stack = await start(dataDir)
    expect(stack.output).not.toContain(token)
    expect(stack.output).toContain('admin-token')
    expect((await stack.client.spaces.getSpaceById(spaceId)).data).toMatchObject({ revision: operation.revision })
  })
})

describe('with content stopped', () => {
  it('a request gets 503 before the restart, and 200 again after the restart', async () => {
    const { spaceId } = await aSpace(stack)
    const health = healthUrlOf(stack, 'content')
    const headers = { authorization: `Bearer ${stack.token}` }
    const ask = () => fetch(`${stack.url}/v1/spaces/${spaceId}`, { headers })
    // A launcher that does not run starts nothing again.
    stack.launcher.kill('SIGSTOP')
    process.kill(stack.pidOf('content'), 'SIGKILL')
    const away = await eventually(async () => expect(await isReady(health)).toBe(false))
      .then(ask)
      .finally(() => stack.launcher.kill('SIGCONT'))
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1'])
    await eventually(async () => expect((await ask()).status).toBe(200))
  })
})

describe('requests while PostgreSQL', () => {
  /** Repeats these requests until stopped, and counts the statuses. */
  const asking = (spaceId: string, organizationId: string) => {
    const answers = new Map<string, number>()
    const requests: RawRequest[] = [
      { method: 'GET', path: `/spaces/${spaceId}` },
      { method: 'GET', path: `/orgs/${organizationId}/spaces` },
      { method: 'PATCH', path: `/spaces/${spaceId}`, body: { title: 'Renamed' } },
      { method: 'POST', path: `/orgs/${organizationId}/spaces`, body: { title: 'New' } },
      { method: 'GET', path: '/user' },
      { method: 'GET', path: `/orgs/${organizationId}/members` },
      { method: 'PUT', path: `/orgs/${organizationId}/teams`, body: { title: 'Writers' } },
    ]
    let isOver = false
    const load = Promise.all(
      requests.map(async sending => {
        while (!isOver) {
          const { status, headers, body } = await sendRaw(stack.url, stack, sending)
          const answer =
            status === 503
              ? `503 ${headers.get('retry-after')}`
              : status < 300
                ? 'done'
                : `${sending.method} ${sending.path} ${status} ${JSON.stringify(body)}`
          answers.set(answer, (answers.get(answer) ?? 0) + 1)
        }
      }),
    )
    const stop = async () => {
      isOver = true
      await load
    }
    return { answers, stop }
  }

  it.each(['SIGINT', 'SIGKILL', 'SIGQUIT'] as const)(
    'ends by %s succeed or answer 503 with Retry-After, never 500',
    async signal => {
      const { spaceId, organizationId } = await aSpace(stack)
      const { answers, stop } = asking(spaceId, organizationId)
      const done = () => answers.get('done') ?? 0
      try {
        await eventually(() => expect(done()).toBeGreaterThan(20))
        const pid = stack.pidOf('postgres')
        process.kill(pid, signal)
        await eventually(() => expect(answers.get('503 1')).toBeGreaterThan(0))
        await eventually(() => expect(isAlive(pid)).toBe(false))
        const before = done()
        await eventually(() => expect(done()).toBeGreaterThan(before + 50))
      } finally {
        await stop()
      }
      expect([...answers.keys()].sort()).toEqual(['503 1', 'done'])
    },
  )
})

describe('the JetStream directory deleted between the 204 and the import', () => {
  it.each([
    ['under the running server', false],
    ['and the server killed', true],
  ])('%s: the import still completes', async (_case, isKilled) => {
    const { spaceId } = await aSpace(stack)
    git.pause()
    const operationId = await requestImport(spaceId, 'manual')
    // The running server may write a file between the listing of a folder and its removal.
    await rm(join(stack.dataDir, 'nats', 'jetstream'), {
      recursive: true,
      force: true,
      maxRetries: 20,
      retryDelay: 50,
    })
    if (isKilled) process.kill(stack.pidOf('nats'), 'SIGKILL')
    git.resume()
    expect(await waitForEnd(stack, spaceId, operationId)).toMatchObject({ state: 'success' })
    const { spaceId: next } = await aSpace(stack)
    expect(await importRepository(stack, next, git.url('manual'))).toMatchObject({ state: 'success' })
  })
})

describe('Ctrl-C', () => {
  it('stops everything with exit code 0, and the next start has the data', async () => {
    const { spaceId } = await aSpace(stack)
    const operation = await importRepository(stack, spaceId, git.url('manual'))
    const pids = [
      'gateway',
      'identity',
      'content',
      'publishing',
      'openapi-specs',
      'git-worker',
      'events',
      'nats',
      'postgres',
    ].map(name => stack.pidOf(name))
    expect(await stack.stop()).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    stack = await start(stack.dataDir)
    expect((await stack.client.spaces.getSpaceById(spaceId)).data).toMatchObject({ revision: operation.revision })
  })

  it('while an import runs: it completes after the next start', async () => {
    const { spaceId } = await aSpace(stack)
    git.stallPacks(20_000)
    const operationId = await requestImport(spaceId, 'large')
    await eventually(() => expect(git.held()).toBeGreaterThan(0))
    expect(await stack.stop()).toBe(0)
    git.resume()
    stack = await start(stack.dataDir)
    expect(await waitForEnd(stack, spaceId, operationId)).toMatchObject({ state: 'success' })
  })

  it('a second start on the same data folder is refused and does not affect the first', async () => {
    await expect(startStack({ dataDir: stack.dataDir })).rejects.toThrow(/runs already/)
    await sleep(200)
    expect((await fetch(`${stack.url}/readyz`)).status).toBe(200)
  })
})

describe('repeated imports', () => {
  it('imports of an unchanged tree fetch no pack and create no revision', async () => {
    const { spaceId } = await aSpace(stack)
    const first = await importRepository(stack, spaceId, git.url('large'))
    const before = git.requests.filter(({ method }) => method === 'POST').length
    const second = await importRepository(stack, spaceId, git.url('large'))
    expect(second).toMatchObject({ state: 'success', revision: first.revision })
    // Branches are listed with GET; a pack is fetched with POST.
    expect(git.requests.filter(({ method }) => method === 'POST').length - before).toBe(0)
  })
})
