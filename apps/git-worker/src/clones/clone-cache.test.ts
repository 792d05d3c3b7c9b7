import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { CloneCache, type Clone } from './clone-cache.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'recto-cache-'))))
afterEach(() => rm(folder, { recursive: true }))

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
