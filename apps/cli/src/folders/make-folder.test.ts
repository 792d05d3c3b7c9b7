import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { aFolder } from '@recto/testing/hostile-folders'
import { makeFolder } from './make-folder.ts'

let folder: ReturnType<typeof aFolder>
beforeEach(() => {
  folder = aFolder({ 'a.md': '# A\n' })
})
afterEach(() => folder.remove())

it('A folder and those above it are made, once, also by two at a time', async () => {
  const path = join(folder.path, 'b/c/d')
  await Promise.all([makeFolder(path), makeFolder(path)])
  await makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

it.each(['a.md', 'a.md/b'])('A file in the place of a folder is refused: %s', async path => {
  await expect(makeFolder(join(folder.path, path))).rejects.toThrow(/EEXIST|ENOTDIR/)
})

const hasProc = existsSync('/proc/self')
const proc = hasProc ? it : it.skip
proc(`A folder that the system refuses as missing is refused${hasProc ? '' : ' (skipped: there is no /proc)'}`, () =>
  expect(makeFolder('/proc/recto')).rejects.toThrow('ENOENT'),
)
