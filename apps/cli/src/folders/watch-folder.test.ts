import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aFolder } from '@recto/testing/hostile-folders'
import { watchFolder } from './watch-folder.ts'

const changes: [title: string, change: (folder: string) => void][] = [
  ['a file is written', folder => writeFileSync(join(folder, 'README.md'), '# B is longer')],
  [
    'an editor replaces a file by renaming',
    folder => {
      writeFileSync(join(folder, '.README.md.tmp'), '# C')
      renameSync(join(folder, '.README.md.tmp'), join(folder, 'README.md'))
    },
  ],
  [
    'a folder is new',
    folder => {
      mkdirSync(join(folder, 'guide/deep'), { recursive: true })
      writeFileSync(join(folder, 'guide/deep/a.md'), '# D')
    },
  ],
  ['a file in the new folder is written', folder => writeFileSync(join(folder, 'guide/deep/a.md'), '# E is longer')],
  ['a folder is removed', folder => rmSync(join(folder, 'guide'), { recursive: true })],
]

it('A watch calls back after each change, also in new folders', async () => {
  const { path, remove } = aFolder({ 'README.md': '# A' })
  let count = 0
  let isReady = false
  const watcher = watchFolder(path, async () => void (count += 1))
  try {
    // The first scan has no change: one that follows it has.
    await eventually(() => {
      writeFileSync(join(path, 'ready.md'), String(performance.now()))
      expect(count).toBeGreaterThan(0)
    })
    isReady = true
    for (const [title, change] of changes) {
      const before = count
      change(path)
      await eventually(() => expect([title, count > before]).toEqual([title, true]))
    }
  } finally {
    watcher.close()
    remove()
  }
  expect(isReady).toBe(true)
})
