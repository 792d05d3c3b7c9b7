import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { connectBus, publishStored, serve, servicePermissions } from '@recto/bus'
import { gitCalls } from '@recto/contracts-git-worker'
import { services } from '@recto/contracts-shared'
import { createLog, createMetrics } from '@recto/telemetry'
import { aGitServer, aNatsServer, aRepository, eventually, waitLimit } from '@recto/testing'
import { afterEach, expect, it } from '@jest/globals'
import { startGitWorker } from './service.ts'
import { aContent, type Content } from './test/content.ts'

const open: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

const user = (name: 'content' | 'git-worker') => ({
  name,
  password: `${name}-password`,
  ...servicePermissions(name, services[name]),
})

/** Content and worker on a bus with the permissions of each service. */
async function aStack() {
  const folder = await mkdtemp(join(tmpdir(), 'recto-git-worker-'))
  const repository = await aRepository({ files: { 'README.md': '# Home' } })
  const auth = { username: 'reader', password: 'the-git-secret' }
  const server = await aGitServer({ repositories: { docs: repository.path }, auth })
  const nats = await aNatsServer({ users: [user('content'), user('git-worker')] })
  open.push(
    () => rm(folder, { recursive: true, force: true }),
    () => repository.remove(),
    () => server.stop(),
    () => nats.stop(),
  )
  const bus = await connectBus({ url: nats.urlFor('content'), service: 'content' })
  const content: Content = aContent({
    state: 'run',
    direction: 'import',
    attempt: 1,
    spaceId: 's',
    organizationId: 'organization',
    url: server.url('docs'),
    credentials: auth,
    ref: 'refs/heads/main',
    force: false,
    known: [],
  })
  const lines: string[] = []
  const log = createLog({
    service: 'git-worker',
    level: 'trace',
    destination: new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }),
  })
  const serving = serve(bus, {
    prefix: 'rpc',
    operations: gitCalls,
    handlers: content.handlers as never,
    context: () => ({}),
    log,
  })
  open.push(
    () => bus.drain(),
    () => serving.stop(),
  )
  const settings = {
    NATS_URL: nats.urlFor('git-worker'),
    CALL_TIMEOUT: waitLimit,
    HEALTH_HOST: '127.0.0.1',
    SHUTDOWN_TIMEOUT: 10_000,
    BUILD: 'test',
    LOG_LEVEL: 'trace' as const,
    BLOB_URL: `file://${folder}/blobs`,
    CACHE_DIR: join(folder, 'cache'),
    OUTGOING_ALLOW: '127.0.0.1',
    GIT_CONCURRENCY: 4,
    GIT_SILENCE: 20_000,
    GIT_TIMEOUT: 20_000,
    GIT_CACHE_MAX_BYTES: 1e9,
    GIT_MAX_PACK: 1e9,
    GIT_MAX_FILE: 1e8,
    GIT_MAX_PAGE_BYTES: 1e6,
    GIT_MAX_FILES: 100,
    GIT_MAX_PAGES: 100,
  }
  const start = async (cache = 'cache') => {
    const own = { ...settings, CACHE_DIR: join(folder, cache) }
    const worker = await startGitWorker(own, { log, metrics: createMetrics('git-worker') })
    open.push(() => worker.stop())
    return worker
  }
  const dispatch = (id: string, organizationId = 'organization') =>
    publishStored(bus, { stream: 'JOBS', subject: 'jobs.git.import', id, payload: { operationId: id, organizationId } })
  return { content, server, lines, start, dispatch }
}

/** A server that accepts connections and never answers. */
async function aHangingServer() {
  const sockets = new Set<Socket>()
  const server = createServer(socket => void sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`, connections: () => sockets.size }
}

it('handles a job from the queue and is ready for the next', async () => {
  const { content, lines, start, dispatch } = await aStack()
  await dispatch('first')
  const worker = await start()
  await eventually(() => expect(content.finished).toMatchObject([{ operationId: 'first' }]))
  await dispatch('second')
  await eventually(() => expect(content.finished).toMatchObject([{ operationId: 'first' }, { operationId: 'second' }]))
  expect(content.failed).toEqual([])
  expect(await worker.ready()).toBe(true)
  expect(lines.join('')).not.toContain('the-git-secret')
})

it('returns a job to the queue when it stops, and the next worker completes it', async () => {
  const { content, server, start, dispatch } = await aStack()
  const worker = await start()
  server.pause()
  await dispatch('job')
  await eventually(() => expect(server.held()).toBe(1))
  await worker.stop()
  expect(content.failed).toMatchObject([{ operationId: 'job', retry: true }])
  server.resume()
  await start()
  await eventually(() => expect(content.finished).toMatchObject([{ operationId: 'job' }]))
})

it('takes the jobs of others while an organization has its share, and returns those of it', async () => {
  const { content, server, start, dispatch } = await aStack()
  const own = content.work
  if (own.state !== 'run') throw new Error('there is no work')
  const hanging = await aHangingServer()
  content.workOf = id => ({ ...own, spaceId: id, ...(id.startsWith('slow') && { url: hanging.url }) })
  for (let at = 0; at < 40; at++) await dispatch(`slow-${at}`, 'one')
  await dispatch('quick', 'two')
  await start()
  await eventually(() => expect(content.finished).toMatchObject([{ operationId: 'quick' }]))
  await eventually(() => expect(hanging.connections()).toBe(2))
  expect(content.failed).toEqual([])
  expect(new Set(content.returned.map(({ operationId }) => operationId)).size).toBe(38)
  expect(server.requests.length).toBeGreaterThan(0)
})

it('shares each of several workers, which have folders of their own', async () => {
  const { content, start, dispatch } = await aStack()
  const own = content.work
  if (own.state !== 'run') throw new Error('there is no work')
  const hanging = await aHangingServer()
  content.workOf = id => ({ ...own, spaceId: id, ...(id.startsWith('slow') && { url: hanging.url }) })
  await start('first')
  await expect(start('first')).rejects.toThrow('each git-worker needs a CACHE_DIR of its own')
  await start('second')
  for (let at = 0; at < 12; at++) await dispatch(`slow-${at}`, 'one')
  await eventually(async () => {
    // Content would offer what was returned again.
    for (const { operationId } of content.returned.splice(0)) await dispatch(`${operationId}-`, 'one')
    expect(hanging.connections()).toBe(4)
  })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await dispatch(name, 'two')
  await eventually(() => expect(content.finished).toHaveLength(5))
  expect([hanging.connections(), content.failed]).toEqual([4, []])
})
