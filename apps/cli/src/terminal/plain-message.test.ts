import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { aFolder } from '@recto/testing/hostile-folders'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { plainMessage } from './plain-message.ts'

let folder: ReturnType<typeof aFolder>
beforeEach(() => {
  folder = aFolder({ 'a.md': '# A\n' })
})
afterEach(() => folder.remove())

const failureOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

it.each<[title: string, run: (path: string) => unknown, message: string]>([
  ['is missing', path => realpathSync(`${path}/none`), 'none is not there'],
  ['is no folder', path => readdirSync(`${path}/a.md`), 'a.md is no folder, or is below a file'],
  ['is there', path => writeFileSync(`${path}/a.md`, '', { flag: 'wx' }), 'a.md is there already'],
  ['is a folder', path => writeFileSync(path, ''), ' is a folder, and no file'],
  ['has a long name', path => readFileSync(`${path}/${'a'.repeat(300)}`), 'is too long a name for this system'],
])('A path that %s is named in a sentence, without a code', (_title, run, message) => {
  const sentence = plainMessage(failureOf(() => run(folder.path)))
  expect(sentence).toContain(folder.path)
  expect(sentence.endsWith(message)).toBe(true)
  // The name of the folder is drawn by chance, and may have capitals in a row.
  expect(sentence.replaceAll(folder.path, '')).not.toMatch(/E[A-Z]{3,}/)
})

it.each([
  [
    Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', port: 4000 }),
    'Port 4000 of this machine is in use',
  ],
  [Object.assign(new Error('write'), { code: 'ENOSPC' }), 'The output cannot be written: there is no space left'],
  [new Error('red \u001b[31m'), 'red \\u001b[31m'],
  ['text', 'text'],
])('%s', (error, message) => expect(plainMessage(error)).toContain(message))
