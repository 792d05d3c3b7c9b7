import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, jest } from '@jest/globals'
import { isPortFree, prepareDatabases, processIdentity, startPostgres, type Postgres } from './index.ts'

let folder: string
let postgres: Postgres
const password = 'p/@: %'
const start = (options: { port?: number } = {}) =>
  startPostgres({ dataDir: join(folder, 'data'), password, ...options })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-postgres-test-'))
})

beforeEach(async () => {
  postgres = await start()
  await query(postgres.url, 'DROP TABLE IF EXISTS kept')
})

afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

test('a second start finds the data', async () => {
  await query(postgres.url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (1)')
  await postgres.stop()
  expect(await postgres.exited).toEqual({ code: 0, signal: null })
  postgres = await start()
  expect(await query(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }])
})

test('committed data survives kill -9 of the server', async () => {
  await query(postgres.url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (1)')
  process.kill(postgres.pid, 'SIGKILL')
  expect((await postgres.exited).signal).toBe('SIGKILL')
  postgres = await start()
  expect(await query(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }])
})

test('a server whose launcher is dead is stopped, and its data is kept', async () => {
  await query(postgres.url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (1)')
  const { pid: leftover } = postgres
  postgres = await start()
  expect(await processIdentity(leftover)).toBeUndefined()
  expect(await query(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }])
})

test('an unrelated process with the pid of the pid file is not stopped, and does not prevent the start', async () => {
  await postgres.stop()
  const foreign = spawn('sleep', ['60'])
  await once(foreign, 'spawn')
  await writeFile(join(folder, 'data/cluster/postmaster.pid'), `${foreign.pid}\n${join(folder, 'data/cluster')}\n`)
  postgres = await start()
  expect(foreign.exitCode ?? foreign.signalCode).toBeNull()
  foreign.kill()
})

test('lower() converts letters outside of ASCII', async () => {
  expect(await query(postgres.url, `SELECT lower('ÄЖ') AS lower`)).toEqual([{ lower: 'äж' }])
})

test('a wrong password is refused', async () => {
  const url = new URL(postgres.url)
  url.password = 'wrong'
  await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
})

test('a role cannot connect to the database of another role', async () => {
  const [identity = '', content = ''] = await prepareDatabases(postgres.url, [
    { database: 'identity', role: 'identity', password: 'one/1' },
    { database: 'content', role: 'content', password: 'two' },
  ])
  expect(await query(identity, 'SELECT current_user, current_database() AS database')).toEqual([
    { current_user: 'identity', database: 'identity' },
  ])
  await query(content, 'CREATE TABLE page (n int)')
  const trespassing = new URL(content)
  trespassing.pathname = '/identity'
  await expect(query(trespassing.href, 'SELECT 1')).rejects.toThrow('permission denied for database "identity"')
})

test('a database prepared again concurrently keeps its data and sets the new password', async () => {
  const prepare = async (password: string) => {
    const [made = ''] = await prepareDatabases(postgres.url, [{ database: 'again', role: 'again', password }])
    return made
  }
  const url = await prepare('old')
  await query(url, 'CREATE TABLE kept (n int)')
  const [again = ''] = await Promise.all(['new', 'new'].map(prepare))
  expect(await query(again, 'SELECT * FROM kept')).toEqual([])
  await expect(query(url, 'SELECT 1')).rejects.toThrow('password authentication failed')
})

test('a port in use is reported', async () => {
  const other = startPostgres({ dataDir: join(folder, 'other'), password, port: postgres.port })
  await expect(other).rejects.toThrow('Address already in use')
  expect(await isPortFree(postgres.port)).toBe(false)
})

test('data of another major version is refused, not replaced', async () => {
  await postgres.stop()
  const version = join(folder, 'data/cluster/PG_VERSION')
  await writeFile(version, '15\n')
  await expect(start()).rejects.toThrow('is of PostgreSQL 15, this is 17')
  expect(await readFile(version, 'utf8')).toBe('15\n')
  await writeFile(version, '17\n')
})

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? test : test.skip
asRoot(
  `as root without user namespaces it runs as nobody, and its data moves along${isRoot ? '' : ' (skipped: this is not root)'}`,
  async () => {
    await query(postgres.url, 'CREATE TABLE kept (n int)')
    await postgres.stop()
    await chmod(folder, 0o711)
    jest.replaceProperty(process, 'env', { PATH: '/nowhere' })
    postgres = await start()
    jest.restoreAllMocks()
    expect((await stat(`/proc/${postgres.pid}`)).uid).toBe(65534)
    expect((await stat(join(folder, 'data/cluster/PG_VERSION'))).uid).toBe(65534)
    expect(await query(postgres.url, 'SELECT * FROM kept')).toEqual([])
  },
)

test('an interrupted first start does not prevent the next one', async () => {
  const dataDir = join(folder, 'interrupted')
  await mkdir(join(dataDir, 'new-abc/cluster'), { recursive: true })
  const other = await startPostgres({ dataDir, password })
  await other.stop()
  expect(await readdir(dataDir)).toEqual(['cluster'])
})
