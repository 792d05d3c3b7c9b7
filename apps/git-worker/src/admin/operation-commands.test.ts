import { transact } from '@recto/database'
import type { AdminCommand } from '@recto/service'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { seal } from '../shared/credentials.ts'
import { aSynchronisation } from '../test/a-synchronisation.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'
import { gitOperations } from './operation-commands.ts'
import { reencryptCommand } from './reencrypt-command.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const sync = aSynchronisation(() => setup)

/** Runs a command; resolves to the lines that it prints. */
async function run(command: AdminCommand, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const { db } = setup
  await command(args, {
    db,
    print: line => void lines.push(line),
    transaction: work => transact(db, () => undefined, work),
  })
  return lines
}

it('Open operations are listed, and fail when an operator ends them, so that the next one goes on', async () => {
  const spaceId = await setup.content.aSpace()
  const first = await sync.worker.requestImport(spaceId)
  const second = await sync.worker.requestImport(spaceId)
  const open = async () =>
    (await run(gitOperations)).filter(line => line.includes(spaceId)).map(line => line.split('\t')[0])
  expect(await open()).toEqual([first, second])
  expect(await run(gitOperations, 'end', first, 'nothing')).toEqual([`${first}\tended`, 'nothing\tnot found'])
  expect(await open()).toEqual([second])
  expect(await sync.worker.see(spaceId, first)).toMatchObject({ state: 'failure', error: { code: 'gave_up' } })
  expect(await run(gitOperations, 'end', first)).toEqual([`${first}\tfailure`])
  expect(await setup.db.query('select dispatched from git_operations where id = $1', [second])).toEqual([
    { dispatched: true },
  ])
})

it('Credentials and secrets are encrypted anew with the current key', async () => {
  const spaceId = await setup.content.aSpace()
  const credentials = { username: 'user', password: 'kept' }
  await sync.set(spaceId, { credentials })
  const [current, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map(key => key.toString('base64url'))
  const { id } = await sync.rowOf(spaceId)
  const sealed = seal(credentials, id, [former ?? ''])
  await setup.db.query('update git_syncs set credentials = $2 where id = $1', [id, sealed])
  expect(await run(reencryptCommand([current ?? '', former ?? '']))).toEqual([
    expect.stringMatching(/^The credentials of \d+ synchronised spaces and \d+ git operations were encrypted anew\.$/),
  ])
  expect(await sync.start(spaceId, 'import')).toMatchObject({ credentials })
})
