import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aDatabase, aGitServer, aNatsServer, aRepository } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { removeData, startStack } from './stack.ts'
import { aSpace, importRepository } from './walk.ts'

const adminToken = 'a-token-that-was-chosen-by-the-operator'

it('runs on an external PostgreSQL and NATS, with a configured administrator token', async () => {
  const empty = { template: 'empty', migrate: async () => undefined }
  const databases = await Promise.all([1, 2, 3, 4].map(() => aDatabase(empty)))
  const [identity = '', content = '', publishing = '', specs = ''] = databases.map(({ url }) => url)
  const nats = await aNatsServer()
  const repository = await aRepository({ files: manual })
  const git = await aGitServer({ repositories: { manual: repository.path } })
  const env = {
    ADMIN_TOKEN: adminToken,
    NATS_URL: nats.url,
    DATABASE_URL_IDENTITY: identity,
    DATABASE_URL_CONTENT: content,
    DATABASE_URL_PUBLISHING: publishing,
    DATABASE_URL_OPENAPI_SPECS: specs,
  }
  const stack = await startStack({ env })
  try {
    const { spaceId } = await aSpace(stack)
    expect(await importRepository(stack, spaceId, git.url('manual'))).toMatchObject({ state: 'success' })
    expect(['postgres', 'nats', 'admin-token'].filter(name => existsSync(join(stack.dataDir, name)))).toEqual([])
    expect(stack.output).not.toContain(adminToken)
  } finally {
    await stack.stop()
    await Promise.all([
      git.stop(),
      nats.stop(),
      ...databases.map(database => database.drop()),
      repository.remove(),
      removeData(stack.dataDir),
    ])
  }
}, 120_000)

it.each([
  [{ ADMIN_TOKEN: 'too-short' }, /ADMIN_TOKEN must have at least 32 characters/],
  [{ PORT: 'eighty' }, /PORT must be a number/],
  [{ NATS_URL: 'not a url' }, /NATS_URL must be a URL/],
])(
  'refuses %j before it starts anything',
  async (env, reason) => {
    await expect(startStack({ env })).rejects.toThrow(reason)
  },
  60_000,
)
