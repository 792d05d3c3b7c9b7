import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { aGitServer, aRepository, freePort, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, importRepository, outlineOf } from './walk.ts'

const run = promisify(execFile)
const password = 'a-password-that-must-not-be-seen-anywhere'
const limits = { GIT_MAX_FILE: '200000', GIT_MAX_FILES: '20', GIT_MAX_PAGES: '5', GIT_MAX_PACK: '1000000' }
const noise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7919 + (at >> 3) * 104729) % 251))
const fine = { 'README.md': '# Fine\n' }

let stack: Stack
let git: GitServer
let secured: GitServer
const repositories: Record<string, TestRepository> = {}

beforeAll(async () => {
  const made = {
    fine: aRepository({ files: fine }),
    'bad-yaml': aRepository({ files: { ...fine, '.gitbook.yaml': 'root: ./\nstructure: [oops\n' } }),
    'wrong-type': aRepository({ files: { ...fine, '.gitbook.yaml': 'root: ./\nstructure:\n  readme: 5\n' } }),
    'root-outside': aRepository({ files: { ...fine, '.gitbook.yaml': 'root: ../elsewhere\n' } }),
    'large-file': aRepository({ files: { ...fine, '.gitbook/assets/large.png': noise(300_000) } }),
    'many-files': aRepository({
      files: {
        ...fine,
        ...Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`.gitbook/assets/${at}.png`, `${at}`])),
      },
    }),
    'many-pages': aRepository({
      files: Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`page-${at}.md`, `# ${at}\n`])),
    }),
    linked: aRepository({
      files: fine,
      symlinks: { 'passwd.md': '/etc/passwd' },
      submodules: { vendor: '1'.repeat(40) },
    }),
    empty: aRepository({ files: { 'code.c': 'int main;' } }),
  }
  for (const [name, repository] of Object.entries(made)) repositories[name] = await repository
  const paths = Object.fromEntries(Object.entries(repositories).map(([name, { path }]) => [name, path]))
  git = await aGitServer({ repositories: paths })
  secured = await aGitServer({ repositories: paths, auth: { username: 'user', password } })
  stack = await startStack({ env: limits })
})

afterAll(async () => {
  await stack.stop()
  await Promise.all([git.stop(), secured.stop()])
  await Promise.all([removeData(stack.dataDir), ...Object.values(repositories).map(repository => repository.remove())])
})

describe('a failed import reports a reason, and the next one succeeds', () => {
  const cases: [string, () => string | Promise<string>, string, object][] = [
    [
      'no server listens',
      async () => `http://127.0.0.1:${await freePort()}/x.git`,
      'refs/heads/main',
      { code: 'unreachable' },
    ],
    [
      'the name does not resolve',
      () => 'http://no-such-host.invalid/x.git',
      'refs/heads/main',
      { code: expect.stringMatching(/unresolvable|unreachable/) },
    ],
    ['there is no such repository', () => git.url('nothing'), 'refs/heads/main', { code: 'repository_not_found' }],
    [
      'there is no such branch',
      () => git.url('fine'),
      'refs/heads/wrong',
      { code: 'branch_not_found', message: expect.stringMatching(/wrong.*main/s) },
    ],
    [
      'the password is wrong',
      () => secured.url('fine').replace('://', '://user:wrong-one@'),
      'refs/heads/main',
      { code: 'authentication_failed' },
    ],
    [
      '.gitbook.yaml is not YAML',
      () => git.url('bad-yaml'),
      'refs/heads/main',
      { code: 'invalid_configuration', path: '.gitbook.yaml', message: expect.stringContaining('line') },
    ],
    [
      '.gitbook.yaml has a wrong type',
      () => git.url('wrong-type'),
      'refs/heads/main',
      { code: 'invalid_configuration', path: '.gitbook.yaml', message: expect.stringContaining('readme') },
    ],
    [
      'the content root lies outside',
      () => git.url('root-outside'),
      'refs/heads/main',
      { code: 'invalid_configuration', path: '.gitbook.yaml' },
    ],
    [
      'a file is too large',
      () => git.url('large-file'),
      'refs/heads/main',
      { code: 'too_large', path: '.gitbook/assets/large.png' },
    ],
    [
      'there are too many files',
      () => git.url('many-files'),
      'refs/heads/main',
      { code: 'too_large', message: expect.stringContaining('20') },
    ],
    [
      'there are too many pages',
      () => git.url('many-pages'),
      'refs/heads/main',
      { code: 'too_large', message: expect.stringContaining('5') },
    ],
    ['the address is private', () => 'http://10.1.2.3/x.git', 'refs/heads/main', { code: 'refused_address' }],
    [
      'the address is that of cloud metadata',
      () => 'http://169.254.169.254/latest',
      'refs/heads/main',
      { code: 'refused_address' },
    ],
    [
      'the address is private in disguise',
      () => 'http://[::ffff:10.1.2.3]/x.git',
      'refs/heads/main',
      { code: 'refused_address' },
    ],
    [
      'the address is another loopback one',
      () => 'http://0x7f.0.0.2/x.git',
      'refs/heads/main',
      { code: 'refused_address' },
    ],
  ]

  it.each(cases)('%s', async (_case, url, ref, error) => {
    const { spaceId } = await aSpace(stack)
    const failed = await importRepository(stack, spaceId, await url(), { ref })
    expect(failed).toMatchObject({ state: 'failure', error })
    expect(failed.error?.message).not.toContain('wrong-one')
    expect((await stack.client.spaces.listPages(spaceId)).data.pages).toEqual([])
    const next = await importRepository(stack, spaceId, git.url('fine'))
    expect(next).toMatchObject({ state: 'success' })
    expect((await stack.client.spaces.listPages(spaceId)).data.pages).toMatchObject([{ title: 'Fine' }])
  })

  it('a connection that closes in the middle of the pack', async () => {
    const { spaceId } = await aSpace(stack)
    git.cutPacks(30)
    const failed = await importRepository(stack, spaceId, git.url('linked'))
    git.resume()
    expect(failed).toMatchObject({
      state: 'failure',
      error: { code: expect.stringMatching(/unreachable|invalid_repository/) },
    })
    expect(await importRepository(stack, spaceId, git.url('linked'))).toMatchObject({ state: 'success' })
  })
})

describe('parts that an import skips', () => {
  it('are warnings for symlinks and submodules, and the rest is imported', async () => {
    const { spaceId } = await aSpace(stack)
    const operation = await importRepository(stack, spaceId, git.url('linked'))
    expect(operation).toMatchObject({ state: 'success' })
    expect(operation.warnings.map(({ path }) => path).sort()).toEqual(['passwd.md', 'vendor'])
    const { pages } = (await stack.client.spaces.listPages(spaceId)).data
    expect(outlineOf(pages as never)).toEqual([[0, 'Fine', 'README.md']])
  })
})

describe('credentials', () => {
  it('grant access to a private repository and are not disclosed', async () => {
    const { spaceId } = await aSpace(stack)
    const url = secured.url('fine').replace('://', `://user:${password}@`)
    const operation = await importRepository(stack, spaceId, url, { body: { gitInfo: { provider: 'github', url } } })
    expect(operation).toMatchObject({ state: 'success', url: secured.url('fine') })
    const seen = [
      operation,
      (await stack.client.spaces.getSpaceById(spaceId)).data,
      (await stack.client.spaces.getSpaceGitInfo(spaceId)).data,
    ]
    expect(JSON.stringify(seen)).not.toContain(password)
    const logs = await Promise.all(
      (await readdir(join(stack.dataDir, 'logs'))).map(name => readFile(join(stack.dataDir, 'logs', name), 'utf8')),
    )
    expect(logs.join('').length).toBeGreaterThan(0)
    expect(logs.join('')).not.toContain(password)
    // Searches the whole data folder: clone cache, queue and database files.
    const { stdout } = await run('grep', ['-rlaF', password, stack.dataDir]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
