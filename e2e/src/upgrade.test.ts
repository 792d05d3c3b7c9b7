import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sendRaw } from './people.ts'
import { recto } from './recto.ts'
import { startStack, type Stack } from './stack.ts'
import { aSpace } from './walk.ts'

const run = promisify(execFile)
/** A backup that the release before this version made, and what its API answered: docs/operations/upgrades.md says how to make another. */
const release = join(import.meta.dirname, 'fixtures/release-0.1.0.tar.gz')

let folder: string
let dataDir: string
let stack: Stack
let recorded: { email: string; replies: Record<string, object> }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-upgrade-'))
  dataDir = join(folder, 'data')
  await run('tar', ['-xzf', release, '-C', folder])
  await recto(dataDir, 'restore', folder)
  stack = await startStack({ dataDir, env: { RATE_LIMIT: '100000', READER_URL: 'https://reader.test' } })
  const text = await readFile(join(folder, 'replies.json'), 'utf8')
  recorded = JSON.parse(text.replaceAll('{url}', stack.url)) as typeof recorded
})

afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

it('the data of the release before is upgraded: everything reads as it did, and can be changed', async () => {
  const token = (await recto(dataDir, 'issue', recorded.email)).trim()
  // The list of tokens has another one now.
  const { '/user/tokens': _tokens, ...replies } = recorded.replies
  for (const [path, body] of Object.entries(replies)) {
    const reply = await sendRaw(stack.url, { token }, { method: 'GET', path })
    // A later version may say more than the earlier one.
    expect({ path, status: reply.status, body: reply.body }).toMatchObject({ path, status: 200, body })
  }
  expect(Object.keys(replies).length).toBeGreaterThan(150)
  expect(await recto(dataDir, 'check', '--mend')).toMatch(/0 pieces of content are missing/)
  await aSpace(stack)
})
