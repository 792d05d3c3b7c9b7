import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { aDatabase, aGitServer, aNatsServer, aRepository } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { cleanEnvironment } from './config.ts'
import { manual } from './fixtures/manual.ts'
import { removeData, startStack } from './stack.ts'
import { aSpace, importRepository } from './walk.ts'

const root = join(import.meta.dirname, '../..')
const services = ['IDENTITY', 'CONTENT', 'PUBLISHING', 'OPENAPI_SPECS', 'GIT_WORKER', 'EVENTS']
const empty = { template: 'empty', migrate: async () => undefined }
const emptyDatabases = () => Promise.all(services.map(() => aDatabase(empty)))
const urlsOf = (databases: { url: string }[]) =>
  Object.fromEntries(services.map((name, index) => [`DATABASE_URL_${name}`, databases[index]?.url ?? '']))

/** Runs a command as in a container: only URLs say where the installation is, and there is no data folder. */
async function recto(env: Record<string, string>, ...args: string[]): Promise<string> {
  const variables = { ...cleanEnvironment(), DATA_DIR: '/dev/null/none', ENCRYPTION_KEY: 'x'.repeat(43), ...env }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/recto.mjs', ...args], {
    cwd: root,
    env: variables,
  })
  return stdout
}

const adminToken = 'a-token-that-was-chosen-by-the-operator'

it('runs on an external PostgreSQL and NATS, with a configured administrator token', async () => {
  const databases = await emptyDatabases()
  const others = await emptyDatabases()
  const nats = await aNatsServer()
  const repository = await aRepository({ files: manual })
  const git = await aGitServer({ repositories: { manual: repository.path } })
  const env = { ADMIN_TOKEN: adminToken, NATS_URL: nats.url, ...urlsOf(databases) }
  const stack = await startStack({ env })
  try {
    const { spaceId } = await aSpace(stack)
    expect(await importRepository(stack, spaceId, git.url('manual'))).toMatchObject({ state: 'success' })
    expect(['postgres', 'nats', 'admin-token'].filter(name => existsSync(join(stack.dataDir, name)))).toEqual([])
    expect(stack.output).not.toContain(adminToken)
    const blobs = (name: string) => ({ BLOB_URL: pathToFileURL(join(stack.dataDir, name)).href })
    const backups = join(stack.dataDir, 'backups')
    expect(await recto({ ...urlsOf(databases), ...blobs('blobs') }, 'backup', backups)).toContain(
      'secrets are not part',
    )
    const restored = { ...urlsOf(others), ...blobs('restored') }
    expect(await recto(restored, 'restore', backups)).toContain('Restored')
    expect(await recto(restored, 'check')).toMatch(/^0 pieces of content are missing/)
  } finally {
    await stack.stop()
    await Promise.all([
      git.stop(),
      nats.stop(),
      ...[...databases, ...others].map(database => database.drop()),
      repository.remove(),
      removeData(stack.dataDir),
    ])
  }
})

it.each([
  [{ ADMIN_TOKEN: 'too-short' }, /ADMIN_TOKEN must have at least 32 characters/],
  [{ PORT: 'eighty' }, /PORT must be a number/],
  [{ NATS_URL: 'not a url' }, /NATS_URL must be a URL/],
])('refuses %j before it starts anything', async (env, reason) => {
  await expect(startStack({ env })).rejects.toThrow(reason)
})
