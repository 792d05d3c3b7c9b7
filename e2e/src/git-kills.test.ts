import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  ask,
  commitText,
  editText,
  ends,
  expectOnce,
  reachStages,
  release,
  startFaults,
  type Faults,
} from './git-kills.ts'
import { request, waitForEnd, type GitOperation } from './walk.ts'

let faults: Faults
beforeAll(async () => void (faults = await startFaults()), 120_000)
afterEach(() => release(faults))
afterAll(() => faults.stop())

const kill = (name: string) => process.kill(faults.stack.pidOf(name), 'SIGKILL')

/** Faults that operations survive without help; each resolves when what was kept back may go on. */
const survived: [string, () => Promise<void>][] = [
  [
    'the worker is killed',
    async () => {
      kill('git-worker')
      await eventually(async () => expect(await faults.git.connections()).toBe(0))
    },
  ],
  ['NATS is killed and starts again', () => faults.bus.restart()],
  ['PostgreSQL is killed and starts again', async () => void kill('postgres')],
  ['content is killed', async () => void kill('content')],
  [
    'the git server breaks its connections',
    async () => {
      await faults.git.down()
      await faults.git.up()
    },
  ],
]

/** Runs the other direction in each site; the next fault finds an operation of the same one. */
async function expectNormal(text: string): Promise<void> {
  const { sites, stack } = faults
  await Promise.all(
    sites.map(async site => {
      const next = site.stage.direction === 'import' ? 'export' : 'import'
      const written = `${text}, and an ${next}`
      await (next === 'export' ? editText(faults, site, written) : commitText(site, written))
      const operation = await waitForEnd(stack, site.spaceId, await ask(faults, site, next))
      expect(operation).toMatchObject({ state: 'success', attempts: 1 })
    }),
  )
  await expectOnce(faults)
}

describe('imports and exports, each kept back at one of their stages', () => {
  it.each(survived)(
    'are complete and made once when %s, and the next ones run as always',
    async (name, strike) => {
      const started = await reachStages(faults, name)
      await strike()
      release(faults)
      for (const operation of await ends(faults, started)) expect(operation).toMatchObject({ state: 'success' })
      await expectOnce(faults)
      await expectNormal(name)
    },
    120_000,
  )

  it('fail with a reason while the git server is down, and are complete and made once after a retry', async () => {
    const { git, stack } = faults
    const started = await reachStages(faults, 'down')
    await git.down()
    release(faults)
    const ended = await ends(faults, started)
    expect(ended.map(({ state, error }) => [state, error?.code])).toEqual(
      started.map(({ site }) => (site.stage.needsGit ? ['failure', 'unreachable'] : ['success', undefined])),
    )
    await git.up()
    const failed = started.filter(({ site }) => site.stage.needsGit)
    for (const { site, operationId } of failed) {
      const path = `/spaces/${site.spaceId}/git/operations/${operationId}/retry`
      expect(await request<GitOperation>(stack, 'POST', path)).toMatchObject({ id: operationId, state: 'queued' })
    }
    for (const operation of await ends(faults, failed)) expect(operation).toMatchObject({ state: 'success' })
    await expectOnce(faults)
    await expectNormal('down')
  }, 120_000)
})
