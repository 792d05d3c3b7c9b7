import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { claimFolder } from './claim-folder.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'recto-claim-'))))
afterEach(() => removeFolder(folder))

it.each(['cache', `${'long/'.repeat(30)}cache`])('The folder %s belongs to one process at a time', async name => {
  const path = join(folder, name)
  const first = await claimFolder(path)
  await expect(claimFolder(path)).rejects.toThrow('each git-worker needs a CACHE_DIR of its own')
  await first.release()
  const second = await claimFolder(path)
  await expect(claimFolder(path)).rejects.toThrow('Another process uses the folder')
  await second.release()
  expect(await readdir(path)).toEqual([])
})

it('A claimed folder is free again after its process was killed', async () => {
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('ready'))`
  const owner = spawn(process.execPath, ['-e', script, join(folder, 'owner.sock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(owner.stdout, 'data')
  await expect(claimFolder(folder)).rejects.toThrow('Another process uses the folder')
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(await readdir(folder)).toEqual(['owner.sock'])
  await (await claimFolder(folder)).release()
})
