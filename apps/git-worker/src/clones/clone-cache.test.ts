import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { CloneCache, type Clone } from './clone-cache.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'recto-cache-'))))
afterEach(() => removeFolder(folder))

const repository = (spaceId: string) => ({
  organizationId: 'organization',
  spaceId,
  url: 'https://git.example/docs.git',
})

it('The clone cache counts the temporary files of a killed fetch', async () => {
  const cache = new CloneCache({ folder, maxBytes: 1_000 })
  await cache.use(repository('killed'), ({ gitdir }) => writeFile(join(gitdir, 'incoming.pack'), Buffer.alloc(2_000)))
  await cache.use(repository('other'), async () => undefined)
  expect(await readdir(folder)).toHaveLength(1)
})

it('The clone cache deletes the folder of a push with its end, and at the start that which a killed process left', async () => {
  const cache = new CloneCache({ folder, maxBytes: 1_000 })
  const write = (path: string) => writeFile(join(path, 'incoming.pack'), '')
  await cache.withFolder(write)
  await expect(cache.withFolder(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await readdir(folder)).toEqual([])
  const path = await cache.withFolder(async path => path)
  await mkdir(path)
  await write(path)
  await cache.use(repository('other'), async () => undefined)
  await cache.clean()
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
})

it('The clone cache never evicts a clone in use by a job that has just started', async () => {
  const cache = new CloneCache({ folder, maxBytes: 100 })
  const begun: string[] = []
  const lost: string[] = []
  const work = async ({ gitdir }: Clone) => {
    begun.push(gitdir)
    await mkdir(join(gitdir, 'objects/pack'), { recursive: true })
    for (let at = 0; at < 20; at++)
      await writeFile(join(gitdir, 'objects/pack', `${at}.pack`), Buffer.alloc(100)).catch(() => lost.push(gitdir))
    if ((await readdir(join(gitdir, 'objects/pack'))).length < 20) lost.push(gitdir)
  }
  // The end of each job evicts unused clones, and may race with the start of another job.
  const lane = async (name: string) => {
    for (let round = 0; round < 30; round++) await cache.use(repository(name), work)
  }
  await Promise.all(['a', 'b', 'c'].map(lane))
  expect([begun.length, lost]).toEqual([90, []])
})
