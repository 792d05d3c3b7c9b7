import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { aGitServer, aLargeRepository, aRepository, cloneBundle, eventually } from './index.ts'
import { removeFolder } from './remove-folder.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'recto-git-test-'))
afterAll(() => removeFolder(folder))
let clones = 0

async function clone(url: string, ...options: string[]): Promise<string> {
  const target = join(folder, `clone-${clones++}`)
  await run('git', ['-c', 'credential.helper=', 'clone', '--quiet', ...options, url, target], {
    env: { PATH: '/usr/bin:/bin', GIT_TERMINAL_PROMPT: '0' },
  })
  return target
}

const incompressible = Array.from({ length: 200_000 }, (_, index) => (index * 7919 * index) % 251)

test('a repository contains the files it was created from', async () => {
  const repository = await aRepository({
    files: {
      'README.md': '# Hi',
      'a/b c/ü (2).gif': Buffer.from([0, 1, 255]),
      'a.md': 'after a/',
      'run.sh': '#!/bin/sh',
    },
    symlinks: { 'a/link': '../README.md' },
    submodules: { vendored: 'a'.repeat(40) },
    executable: ['run.sh'],
  })
  const copy = await clone(repository.path)
  expect(await readFile(join(copy, 'README.md'), 'utf8')).toBe('# Hi')
  expect([...(await readFile(join(copy, 'a/b c/ü (2).gif')))]).toEqual([0, 1, 255])
  expect(await readlink(join(copy, 'a/link'))).toBe('../README.md')
  expect((await stat(join(copy, 'run.sh'))).mode & 0o100).toBe(0o100)
  const { stdout } = await run('git', ['-C', repository.path, 'ls-tree', 'HEAD', 'vendored'])
  expect(stdout).toContain('160000 commit')
  await run('git', ['-C', repository.path, 'fsck', '--strict'])
  await repository.remove()
})

test('a further commit changes, adds and removes, and may be on another branch', async () => {
  const repository = await aRepository({ files: { 'a.md': '1', 'b.md': '1' } })
  const second = await repository.addCommit({ 'a.md': '2', 'b.md': null, 'c.md': '1' })
  await repository.addCommit({ 'd.md': '1' }, { branch: 'side' })
  const { stdout } = await run('git', [
    '-C',
    repository.path,
    'log',
    '--no-renames',
    '--name-status',
    '--format=%H',
    'side',
  ])
  expect(stdout.trim().split('\n').filter(Boolean).slice(1)).toEqual([
    'A\td.md',
    second,
    'M\ta.md',
    'D\tb.md',
    'A\tc.md',
    repository.commit,
    'A\ta.md',
    'A\tb.md',
  ])
  await repository.remove()
})

test('a large repository has its files, and others of the size that was asked for', async () => {
  const repository = await aLargeRepository({ files: { 'docs/a.md': '1' }, others: 2, megabytes: 1 })
  const { stdout } = await run('git', ['-C', repository.path, 'ls-tree', '-r', '-l', 'main'])
  const listed = stdout
    .trim()
    .split('\n')
    .map(line => line.split(/\s+/).slice(3))
  const size = String(2 ** 20)
  expect(listed).toEqual([
    ['1', 'docs/a.md'],
    [size, 'media/data-0.bin'],
    [size, 'media/data-1.bin'],
  ])
  await run('git', ['-C', repository.path, 'fsck', '--strict'])
  await repository.remove()
})

test('names that git itself would refuse can be written', async () => {
  const repository = await aRepository({ files: { '../up.md': '1', '.git/config': '1' } })
  const { stdout } = await run('git', ['-C', repository.path, 'ls-tree', '-r', '--name-only', 'HEAD'])
  expect(stdout.trim().split('\n')).toEqual(['../up.md', '.git/config'])
  await repository.remove()
})

test('a repository is cloned, fetched shallow and pushed to over HTTP', async () => {
  const repository = await aRepository({ files: { 'a.md': '1' } })
  await repository.addCommit({ 'a.md': '2' })
  const server = await aGitServer({ repositories: { docs: repository.path } })
  const copy = await clone(server.url('docs'), '--depth', '1')
  expect(await readFile(join(copy, 'a.md'), 'utf8')).toBe('2')
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
  await writeFile(join(copy, 'b.md'), '1')
  const git = ['-C', copy, '-c', 'user.name=A', '-c', 'user.email=a@example.com']
  await run('git', [...git, 'add', '.'])
  await run('git', [...git, 'commit', '-qm', 'Add'])
  await run('git', [...git, 'push', '-q', 'origin', 'main'])
  const { stdout } = await run('git', ['-C', repository.path, 'ls-tree', '--name-only', 'main'])
  expect(stdout).toContain('b.md')
  await expect(clone(server.url('other'))).rejects.toThrow('not found')
  await server.stop()
  await repository.remove()
})

test('a server with credentials refuses others', async () => {
  const repository = await aRepository({ files: { 'a.md': '1' } })
  const server = await aGitServer({
    repositories: { docs: repository.path },
    auth: { username: 'me', password: 'secret' },
  })
  await expect(clone(server.url('docs'))).rejects.toThrow('could not read Username')
  await clone(server.url('docs').replace('http://', 'http://me:secret@'))
  await server.stop()
  await repository.remove()
})

test('a pack can be interrupted in its middle', async () => {
  const repository = await aRepository({ files: { 'large.bin': Buffer.from(incompressible) } })
  const server = await aGitServer({ repositories: { docs: repository.path } })
  server.cutPacks(1000)
  await expect(clone(server.url('docs'))).rejects.toThrow(/early EOF|disconnect|closed|transfer/)
  server.resume()
  await clone(server.url('docs'))
  await server.stop()
  await repository.remove()
})

test.each(['pause', 'stallPacks'] as const)('a clone waits during %s and continues after resume', async fault => {
  const repository = await aRepository({ files: { 'large.bin': Buffer.from(incompressible) } })
  const server = await aGitServer({ repositories: { docs: repository.path } })
  server[fault](500)
  const cloning = clone(server.url('docs'))
  await eventually(() => expect(server.held()).toBe(1))
  server.resume()
  await cloning
  expect(server.held()).toBe(0)
  await server.stop()
  await repository.remove()
})

test('a bundle is cloned bare', async () => {
  const repository = await aRepository({ files: { 'a.md': '1' } })
  const bundle = join(folder, 'docs.bundle')
  await run('git', ['-C', repository.path, 'bundle', 'create', '-q', bundle, 'HEAD', 'main'])
  const copy = await cloneBundle(bundle)
  expect(copy.commit).toBe(repository.commit)
  await copy.remove()
  await repository.remove()
})
