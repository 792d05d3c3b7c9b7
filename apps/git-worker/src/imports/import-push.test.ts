import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { ImportManifest } from '@recto/contracts-git-worker-bus'
import { defaultLimits, type Limits } from '@recto/repository-content'
import { packOfCommit } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deltaBomb, packEntry, packOfEntries } from '../test/packs.ts'
import { aSetup, type Setup } from '../test/worker-setup.ts'
import { importPush } from './import-push.ts'

const files = {
  'README.md': '# Home\r\n\r\nwith  two spaces\t\r\n',
  'docs/a.md': '# A\n',
  '.gitbook/assets/a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
}

let setup: Setup
let pack: Buffer
beforeAll(async () => {
  setup = await aSetup({ change: { files } })
  pack = (await packOfCommit(setup.repository.path, 'main')).pack
})
afterAll(() => setup.stop())

async function run(
  bytes: Buffer,
  { commit = setup.repository.commit, ...limits }: Partial<Limits> & { commit?: string } = {},
) {
  const { hash } = await setup.blobs.put(bytes)
  const tools = { ...setup.tools, limits: { ...defaultLimits, ...limits } }
  const result = await importPush({ pack: hash, commit, known: [] }, tools)
  return {
    ...result,
    manifest: ImportManifest.parse(JSON.parse((await setup.blobs.bytes(result.manifest)).toString())),
  }
}
const folders = () => readdir(`${setup.folder}/cache`).catch(() => [])

/** The pack with another byte at a place. */
function damaged(at: number): Buffer {
  const bytes = Buffer.from(pack)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

describe('The import of a push', () => {
  it('A pushed commit is imported as a fetched one, and leaves nothing in the cache', async () => {
    const { commit, manifest } = await run(pack)
    const fetched = await setup.run()
    expect(commit).toMatchObject({ oid: setup.repository.commit, ref: '' })
    expect(manifest.pages).toEqual(fetched.manifest.pages)
    expect(manifest.files).toEqual(fetched.manifest.files)
    expect((await folders()).filter(name => name.startsWith('push-'))).toEqual([])
  })

  it('A pushed commit needs no parents, and brings no other objects', async () => {
    const commit = await setup.repository.addCommit({ 'docs/b.md': '# B\n' }, { branch: 'more' })
    const { manifest } = await run((await packOfCommit(setup.repository.path, commit)).pack, { commit })
    expect(JSON.stringify(manifest.pages)).toContain('docs/b.md')
  })

  it.each<[string, () => Buffer, { commit?: string } & Partial<Limits>, string]>([
    ['is cut off', () => pack.subarray(0, -30), {}, 'invalid_repository'],
    ['is empty', () => Buffer.alloc(0), {}, 'invalid_repository'],
    ['is no pack', () => Buffer.from('<html>no pack</html>'), {}, 'invalid_repository'],
    ['has a wrong checksum', () => damaged(pack.length - 1), {}, 'invalid_repository'],
    ['has a damaged entry', () => damaged(40), {}, 'invalid_repository'],
    ['has bytes behind its end', () => Buffer.concat([pack, Buffer.alloc(8)]), {}, 'invalid_repository'],
    ['lacks its commit', () => pack, { commit: 'a'.repeat(40) }, 'invalid_repository'],
    [
      'has a blob in the place of its commit',
      () => packOfEntries([packEntry(3, Buffer.alloc(0))]),
      { commit: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' },
      'invalid_repository',
    ],
    [
      'has a delta without its base',
      () => packOfEntries([packEntry(7, Buffer.from([0, 0]), Buffer.alloc(20, 1))]),
      {},
      'invalid_repository',
    ],
    ['says it has 1,000,001 objects', () => packOfEntries([], 1_000_001), {}, 'too_large'],
    ['is over the limit of packs', () => pack, { maxPack: 100 }, 'too_large'],
    ['has more files than the limit', () => pack, { maxFiles: 1 }, 'too_large'],
    ['has more pages than the limit', () => pack, { maxPages: 1 }, 'too_large'],
    ['inflates to more than the limit', () => deltaBomb(40), { maxPack: 16 * 1024 * 1024 }, 'too_large'],
  ])('A pack that %s is refused with a reason, and nothing of it stays', async (_which, bytes, options, code) => {
    await expect(run(bytes(), options)).rejects.toMatchObject({ code, message: expect.any(String) })
    expect((await folders()).filter(name => name.startsWith('push-'))).toEqual([])
  })

  it.each(['README.md', 'docs'])('A pack that lacks %s of its commit is refused', async path => {
    const { path: repository } = setup.repository
    const lacking = execFileSync('git', ['-C', repository, 'rev-parse', `main:${path}`], { encoding: 'utf8' })
    const { pack: partial } = await packOfCommit(repository, 'main', { without: [lacking.trim()] })
    await expect(run(partial)).rejects.toMatchObject({ code: 'invalid_repository' })
  })

  it('A tree with names that lead elsewhere, links and submodules is imported without them', async () => {
    const hostile = await aSetup({
      change: {
        files: { 'README.md': '# Home\n', '../up.md': 'x', '.git/config.md': 'x' },
        symlinks: { 'passwd.md': '/etc/passwd' },
        submodules: { module: 'a'.repeat(40) },
      },
    })
    try {
      const { pack: bytes, commit } = await packOfCommit(hostile.repository.path, 'main')
      const { manifest } = await run(bytes, { commit })
      expect(manifest.pages).toMatchObject([{ title: 'Home' }])
      expect(manifest.files).toEqual([])
      expect(manifest.warnings.map(({ path }) => path).toSorted()).toEqual(['..', '.git', 'module', 'passwd.md'])
    } finally {
      await hostile.stop()
    }
  })

  it('A push whose upload is gone fails, whether content or the blob store lacks it', async () => {
    const commit = setup.repository.commit
    const push = (blob: string | undefined) => importPush({ pack: blob, commit, known: [] }, setup.tools)
    for (const blob of [undefined, 'f'.repeat(64)])
      await expect(push(blob)).rejects.toMatchObject({ code: 'upload_missing' })
  })

  it('A stopped attempt ends the import of its push', async () => {
    const { hash } = await setup.blobs.put(pack)
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('stopped'))
    const tools = { ...setup.tools, signal: stop.signal, onProgress }
    await expect(importPush({ pack: hash, commit: setup.repository.commit, known: [] }, tools)).rejects.toThrow()
    expect((await folders()).filter(name => name.startsWith('push-'))).toEqual([])
  })
})
