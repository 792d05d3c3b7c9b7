import { createServer } from 'node:net'
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { isPortFree, processIdentity } from '@recto/embedded'
import { aDatabase, aNatsServer, eventually, freePort, removeFolder } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  aCheckout,
  childPid,
  childrenOf,
  launch,
  serverPid,
  type LaunchOptions,
  type LauncherProcess,
} from './test/launcher.ts'

let checkout: Awaited<ReturnType<typeof aCheckout>>
let dataDir: string
const running: LauncherProcess[] = []

beforeAll(async () => {
  checkout = await aCheckout()
})
afterAll(() => checkout.remove())

beforeEach(async () => {
  dataDir = await checkout.prepare()
})
afterEach(async () => {
  for (const launcher of running.splice(0)) {
    launcher.child.kill('SIGTERM')
    await launcher.exited
  }
  await removeFolder(dataDir)
})

async function start(env: Record<string, string> = {}, how: LaunchOptions = {}): Promise<LauncherProcess> {
  const launcher = await launch(checkout.folder, env, how)
  running.push(launcher)
  return launcher
}

async function isReady(env: Record<string, string> = {}, how: LaunchOptions = {}): Promise<LauncherProcess> {
  const launcher = await start(env, how)
  await launcher.ready
  return launcher
}

async function allPids(): Promise<number[]> {
  const children = Object.values(await childrenOf(dataDir)).map(({ pid }) => pid)
  return [...children, await serverPid(dataDir, 'postgres'), await serverPid(dataDir, 'nats')]
}

async function runningOf(pids: number[]): Promise<number[]> {
  const identities = await Promise.all(pids.map(processIdentity))
  return pids.filter((_, index) => identities[index] !== undefined)
}

async function ask(name: string): Promise<{ env: Record<string, string>; starts: number }> {
  const { pid } = (await childrenOf(dataDir))[name] ?? {}
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
  const portOf = (name: string) => new RegExp(`(?:^|\\0)${name}=(\\d+)`).exec(environment)?.[1]
  const port = portOf('HEALTH_PORT') ?? portOf('PORT')
  const response = await fetch(`http://127.0.0.1:${port}/`)
  return (await response.json()) as { env: Record<string, string>; starts: number }
}

test('the first start prints its steps and the token, a later one the path of the stored token', async () => {
  await removeFolder(dataDir)
  const first = await isReady()
  const [, token = ''] = /(recto_[0-9A-Za-z]{49})/.exec(first.output()) ?? []
  expect(first.output()).toContain('Starting PostgreSQL\n')
  expect(first.output()).toContain('Starting processes\n')
  expect(first.output().trimEnd().split('\n').at(-1)).toBe(
    `Recto is ready at http://127.0.0.1:${first.port}/v1 and the administrator's token is ${token} (shown once, kept in .data/admin-token).`,
  )
  expect((await ask('identity')).env.ADMIN_TOKEN).toBe(token)
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  const second = await isReady()
  expect(second.output()).toContain("the administrator's token is kept in .data/admin-token.")
  expect(second.output()).not.toContain(token)
  expect((await ask('identity')).starts).toBe(2)
  const closed = ['admin-token', 'secrets.json', 'run.json', 'logs', 'logs/identity.log', 'blobs', 'cache', 'nats']
  for (const name of closed) expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0])
  expect((await stat(dataDir)).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
  expect(await readFile(join(dataDir, 'nats/nats.conf'), 'utf8')).toContain('max_payload: 8388608\n')
})

test('warnings of processes are printed, and their complete output is in their logs', async () => {
  const launcher = await isReady()
  expect(launcher.output()).toContain('content: something to know\n')
  await eventually(async () =>
    expect(await readFile(join(dataDir, 'logs/content.log'), 'utf8')).toContain('"something to know"'),
  )
})

test('Processes that listen for callers start when every service is ready', async () => {
  const lines = (await isReady()).output().split('\n')
  const names = lines.flatMap(line => /^([\w-]+): something to know$/.exec(line)?.[1] ?? [])
  expect(names.slice(-2).toSorted()).toEqual(['gateway', 'reader'])
  expect(names).toHaveLength(8)
})

test('a repeated warning is printed once', async () => {
  const launcher = await isReady({ FLOOD: '500' })
  const pid = await childPid(dataDir, 'content')
  process.kill(pid, 'SIGKILL')
  await eventually(() => expect(launcher.output()).toContain('content ended (SIGKILL)'))
  const [before = ''] = launcher.output().split('content ended')
  expect(before.match(/content: no bus.*/g)).toEqual(['content: no bus', 'content: no bus (499 more times)'])
})

test('each process receives its own secrets only', async () => {
  const launcher = await isReady({
    EXTRA: 'passed on',
    ADMIN_TOKEN: 'x'.repeat(32),
    SAML_SIGNING_KEY: 'key',
    READER_SECRET: 'r',
    EDGE_VARNISH_TOKEN: 't',
  })
  const [identity, content, publishing, worker, gateway] = await Promise.all(
    ['identity', 'content', 'publishing', 'git-worker', 'gateway'].map(ask),
  )
  const secrets = [
    'ADMIN_TOKEN',
    'DATABASE_URL_IDENTITY',
    'DATABASE_URL_CONTENT',
    'DATABASE_URL_GIT_WORKER',
    'ENCRYPTION_KEY',
    'SAML_SIGNING_KEY',
    'READER_SECRET',
    'EDGE_VARNISH_TOKEN',
    'SIGNING_SECRET',
    'CACHE_DIR',
    'PORT',
  ]
  const has = (answer: typeof identity) => secrets.filter(name => answer?.env[name] !== undefined)
  expect(has(identity)).toEqual(['ADMIN_TOKEN', 'DATABASE_URL_IDENTITY', 'SAML_SIGNING_KEY', 'SIGNING_SECRET'])
  expect(has(content)).toEqual(['DATABASE_URL_CONTENT', 'SIGNING_SECRET'])
  expect(has(publishing)).toEqual(['READER_SECRET', 'EDGE_VARNISH_TOKEN', 'SIGNING_SECRET'])
  expect(has(worker)).toEqual(['DATABASE_URL_GIT_WORKER', 'ENCRYPTION_KEY', 'SIGNING_SECRET', 'CACHE_DIR'])
  expect(has(gateway)).toEqual(['SIGNING_SECRET', 'PORT'])
  expect(content?.env.EXTRA).toBe('passed on')
  expect(content?.env.PUBLIC_URL).toBe(`http://127.0.0.1:${launcher.port}`)
  expect(content?.env.BLOB_URL).toBe(`file://${dataDir}/blobs`)
  expect(Buffer.from(worker?.env.ENCRYPTION_KEY ?? '', 'base64url')).toHaveLength(32)
  expect(new URL(worker?.env.NATS_URL ?? '').username).toBe('git-worker')
  expect(launcher.output()).not.toContain('x'.repeat(32))
})

test('HEALTH_PORT is that of the first process, and the others have those after it', async () => {
  const first = await freeRun(6)
  const launcher = await isReady({ HEALTH_PORT: String(first) })
  const names = ['identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events', 'reader']
  const ports = (await Promise.all(names.map(ask))).map(({ env }) => Number(env.HEALTH_PORT))
  expect(ports).toEqual(names.map((_, index) => first + index))
  launcher.child.kill('SIGTERM')
  await launcher.exited
  const server = createServer().listen(first + 1, '127.0.0.1')
  await once(server, 'listening')
  const refused = await start({ HEALTH_PORT: String(first) })
  expect(await refused.exited).toBe(1)
  expect(refused.output()).toContain(
    `Port ${first + 1} of content is in use: set HEALTH_PORT to the first of 7 free ones.\n`,
  )
  server.close()
})

/** The first of so many free ports in a row. */
async function freeRun(count: number): Promise<number> {
  const first = await freePort()
  const rest = Array.from({ length: count - 1 }, (_, index) => first + 1 + index)
  const areFree = await Promise.all(rest.map(isPortFree))
  return areFree.every(Boolean) ? first : freeRun(count)
}

test('Ctrl-C, also twice and to the whole process group, stops everything and exits with 0', async () => {
  const launcher = await isReady()
  const pids = await allPids()
  process.kill(-launcher.pid, 'SIGINT')
  process.kill(-launcher.pid, 'SIGINT')
  expect(await launcher.exited).toBe(0)
  expect(await runningOf(pids)).toEqual([])
  await expect(stat(join(dataDir, 'run.json'))).rejects.toThrow('ENOENT')
})

test('a signal that only reaches the shell of npm stops everything', async () => {
  const launcher = await isReady({ npm_lifecycle_event: 'start' }, { shell: true })
  const pids = await allPids()
  process.kill(launcher.pid, 'SIGTERM')
  await eventually(async () => expect(await runningOf(pids)).toEqual([]))
  await eventually(() => expect(stat(join(dataDir, 'run.json'))).rejects.toThrow('ENOENT'))
})

test('a signal during the start stops the processes started so far', async () => {
  const launcher = await start()
  await eventually(() => expect(launcher.output()).toContain('Starting PostgreSQL'))
  launcher.child.kill('SIGTERM')
  expect(await launcher.exited).toBe(0)
  expect(launcher.output()).not.toContain('Recto is ready')
  await expect(stat(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT')
  expect(await runningOf([await serverPid(dataDir, 'nats')])).toEqual([])
})

test('a killed process is restarted', async () => {
  const launcher = await isReady()
  const pid = await childPid(dataDir, 'content')
  const postgres = await serverPid(dataDir, 'postgres')
  const nats = await serverPid(dataDir, 'nats')
  for (const victim of [pid, postgres, nats]) process.kill(victim, 'SIGKILL')
  await eventually(async () => {
    expect(await serverPid(dataDir, 'postgres')).not.toBe(postgres)
    expect(await serverPid(dataDir, 'nats')).not.toBe(nats)
    expect((await ask('content')).starts).toBeGreaterThan(1)
  })
  expect(launcher.output()).toContain('content ended (SIGKILL), starting it again')
  expect(launcher.output()).toContain('PostgreSQL ended (SIGKILL), starting it again')
})

test.each([
  ['', {}],
  [' whose processes do not notice', { STUBBORN: '1' }],
])('the next start succeeds after kill -9 of the launcher%s', async (_name, env) => {
  const first = await isReady(env)
  const pids = await allPids()
  first.child.kill('SIGKILL')
  await first.exited
  await isReady()
  expect(await runningOf(pids)).toEqual([])
  expect((await ask('content')).starts).toBe(2)
})

test('a second start on the same folder is refused without affecting the first', async () => {
  const first = await isReady()
  const second = await start()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(
    `Recto runs already on this data folder, at http://127.0.0.1:${first.port} (process ${first.pid})`,
  )
  expect((await ask('content')).starts).toBe(1)
})

test('refuses a command that it does not have, and starts nothing', async () => {
  const folder = join(dataDir, '../not-started')
  const launcher = await start({ DATA_DIR: folder }, { command: 'migrate' })
  expect(await launcher.exited).toBe(1)
  expect(launcher.output()).toMatch(/^There is no command "migrate": container-files, .*admin\.\n$/)
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('names a port that is in use', async () => {
  const other = createServer().listen(await freePort(), '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const launcher = await start({ PORT: String(port) })
  expect(await launcher.exited).toBe(1)
  expect(launcher.output()).toBe(`Port ${port} is in use: set PORT to another one.\n`)
  other.close()
})

test.each([
  [{ PORT: '3999', READER_PORT: '3999' }, 'PORT and READER_PORT give two processes port 3999.'],
  [{ PORT: '3999', HEALTH_PORT: '3998' }, 'PORT and HEALTH_PORT give two processes port 3999.'],
  [{ HEALTH_PORT: '65534' }, 'HEALTH_PORT gives a process port 65536, above 65535.'],
])('refuses ports that two processes would have, or none can: %j', async (env, message) => {
  const launcher = await start(env)
  expect(await launcher.exited).toBe(1)
  expect(launcher.output()).toBe(`${message}\n`)
})

test('a failed migration aborts the start and leaves no process running', async () => {
  const launcher = await start({ FAIL_MIGRATION: '1' })
  expect(await launcher.exited).toBe(1)
  expect(launcher.output()).toMatch(
    /(identity|content|publishing|openapi-specs|git-worker|events) does not start:[^]*does not like it/,
  )
  await expect(stat(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT')
  expect(await runningOf([await serverPid(dataDir, 'nats')])).toEqual([])
})

test('external servers are used instead of own ones', async () => {
  const nothing = { template: 'launcher', migrate: async () => {} }
  const names = ['identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events']
  const [identity, content, publishing, specs, git, events] = await Promise.all(names.map(() => aDatabase(nothing)))
  const nats = await aNatsServer()
  const launcher = await isReady({
    DATABASE_URL_IDENTITY: identity?.url ?? '',
    DATABASE_URL_CONTENT: content?.url ?? '',
    DATABASE_URL_PUBLISHING: publishing?.url ?? '',
    DATABASE_URL_OPENAPI_SPECS: specs?.url ?? '',
    DATABASE_URL_GIT_WORKER: git?.url ?? '',
    DATABASE_URL_EVENTS: events?.url ?? '',
    NATS_URL: nats.url,
  })
  expect(launcher.output()).not.toMatch(/Starting (PostgreSQL|nats-server)/)
  expect((await ask('content')).env).toMatchObject({ DATABASE_URL_CONTENT: content?.url, NATS_URL: nats.url })
  launcher.child.kill('SIGTERM')
  await launcher.exited
  await nats.stop()
})

test('a configured token is neither stored nor printed', async () => {
  const token = 'a token of at least thirty-two characters'
  const first = await isReady({ ADMIN_TOKEN: token })
  expect(first.output()).toContain("the administrator's token is the ADMIN_TOKEN of the first start.")
  first.child.kill('SIGTERM')
  await first.exited
  const second = await isReady()
  expect(second.output()).toContain("the administrator's token is the ADMIN_TOKEN of the first start.")
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(token)
  await expect(stat(join(dataDir, 'admin-token'))).rejects.toThrow('ENOENT')
})

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? test : test.skip
asRoot(`data of another user is named${isRoot ? '' : ' (skipped: only root can make it)'}`, async () => {
  await removeFolder(dataDir)
  await mkdir(dataDir)
  await chown(checkout.folder, 65534, 65534)
  await chmod(dataDir, 0o700)
  const launcher = await start({}, { uid: 65534 })
  expect(await launcher.exited).toBe(1)
  expect(launcher.output()).toMatch(/^\/.*\.data\/.* belongs to another user: start as that user/)
})
