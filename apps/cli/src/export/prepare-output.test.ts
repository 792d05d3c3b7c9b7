import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { aFolder } from '@recto/testing/hostile-folders'
import { checkOutput } from './prepare-output.ts'

let folder: ReturnType<typeof aFolder>
beforeEach(() => {
  folder = aFolder({ 'full/a.md': '# A\n' })
  mkdirSync(`${folder.path}/empty`)
  symlinkSync(`${folder.path}/none`, `${folder.path}/dangling`)
  symlinkSync(`${folder.path}/empty`, `${folder.path}/link`)
})
afterEach(() => folder.remove())

it.each(['new', 'new/below', 'empty', 'link'])('%s is taken, and not made', async name => {
  const before = existsSync(`${folder.path}/${name}`)
  await checkOutput(`${folder.path}/${name}`)
  expect(existsSync(`${folder.path}/${name}`)).toBe(before)
})

it.each([
  ['full', 'OUT is not empty: '],
  ['full/a.md', 'OUT is a file: '],
  ['full/a.md/b', 'OUT is below a file: '],
  ['dangling', 'OUT is a link that leads nowhere: '],
])('%s is refused in a sentence that names it', async (name, message) => {
  const path = `${folder.path}/${name}`
  await expect(checkOutput(path)).rejects.toThrow(`${message}${path}. `)
})
