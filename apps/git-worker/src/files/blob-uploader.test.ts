import { join } from 'node:path'
import { parseCommit } from '@recto/git-pack'
import { eventually } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { defaultLimits } from '@recto/repository-content'
import { aSetup } from '../test/worker-setup.ts'
import { BlobUploader } from './blob-uploader.ts'
import { listFiles } from './list-files.ts'
import { openClone } from '../clones/open-clone.ts'

const size = 25 * 1024 * 1024

it('An upload holds at most 64 MB of files in memory, or a single larger file', async () => {
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`${name}.bin`, Buffer.alloc(size, name)]))
  const setup = await aSetup({
    change: { files: { 'README.md': '# A', ...files, 'z.bin': Buffer.alloc(3 * size, 'z') } },
  })
  await setup.run()
  const [clone = ''] = await setup.clones()
  const { store, close } = await openClone(join(setup.folder, 'cache', clone), defaultLimits)
  const { tree } = parseCommit(await store.read(setup.repository.commit, 'commit'))
  const listed = await listFiles(store, tree, { folder: '', limits: defaultLimits, signal: setup.tools.signal })
  const uploader = new BlobUploader({ store, blobs: setup.blobs, known: [], limits: defaultLimits })
  let inUse = 0
  let most = 0
  const releases: (() => void)[] = []
  const reading = listed.files
    .filter(({ path }) => path.endsWith('.bin'))
    .map(file =>
      uploader.withFile(file, async bytes => {
        inUse += bytes.length
        most = Math.max(most, inUse)
        await new Promise<void>(resolve => releases.push(resolve))
        inUse -= bytes.length
      }),
    )
  for (let left = 5; left > 0; left--) {
    await eventually(() => expect(releases.length).toBeGreaterThan(0))
    await eventually(() => expect(releases.length).toBe(left > 2 ? 2 : 1))
    releases.shift()?.()
  }
  await Promise.all(reading)
  expect(most).toBe(3 * size)
  await close()
  await setup.stop()
})
