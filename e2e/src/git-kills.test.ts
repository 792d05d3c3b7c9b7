import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
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

const kill = ({ stack }: Faults, name: string) => process.kill(stack.pidOf(name), 'SIGKILL')

/** Faults that operations survive without help; each resolves when what was kept back may go on. */
const survived: [string, (faults: Faults) => Promise<void>][] = [
  [
    'the worker is killed',
    async faults => {
      kill(faults, 'git-worker')
      await eventually(async () => expect(await faults.git.connections()).toBe(0))
    },
  ],
  ['NATS is killed and starts again', ({ bus }) => bus.restart()],
  ['PostgreSQL is killed and starts again', async faults => void kill(faults, 'postgres')],
  ['content is killed', async faults => void kill(faults, 'content')],
  [
    'the git server breaks its connections',
    async ({ git }) => {
      await git.down()
      await git.up()
    },
  ],
]

/** Runs the other direction in each site; the next fault finds an operation of the same one. */
async function expectNormal(faults: Faults, text: string): Promise<void> {
  const { sites, stack } = faults
  await Promise.all(
    sites.map(async site => {
      const next = site.stage.direction === 'import' ? 'export' : 'import'
      const nextText = `${text}, and an ${next}`
      await (next === 'export' ? editText(faults, site, nextText) : commitText(site, nextText))
      const operation = await waitForEnd(stack, site.spaceId, await ask(faults, site, next))
      expect(operation).toMatchObject({ state: 'success', attempts: 1 })
    }),
  )
  await expectOnce(faults)
}

async function expectSurvived(faults: Faults, [name, strike]: (typeof survived)[number]): Promise<void> {
  const started = await reachStages(faults, name)
  await strike(faults)
  release(faults)
  for (const operation of await ends(faults, started)) expect(operation).toMatchObject({ state: 'success' })
  await expectOnce(faults)
  await expectNormal(faults, name)
}

const down = 'down'
async function expectRetried(faults: Faults): Promise<void> {
  const { git, stack } = faults
  const started = await reachStages(faults, down)
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
  await expectNormal(faults, down)
}

const cases: [string, (faults: Faults) => Promise<void>][] = [
  ...survived.map((fault): (typeof cases)[number] => [fault[0], faults => expectSurvived(faults, fault)]),
  [down, expectRetried],
]
let installations: Faults[] = []
const outcomes = new Map<string, Promise<void>>()

/** After a fault an installation mostly waits for leases to end: each of two takes every second fault, one after the other. */
async function startCases(): Promise<void> {
  installations = await Promise.all([startFaults(), startFaults()])
  for (const [first, faults] of installations.entries()) {
    let before = Promise.resolve()
    for (const [name, check] of cases.filter((_case, at) => at % installations.length === first)) {
      const outcome = before.then(() => check(faults)).finally(() => release(faults))
      before = outcome.catch(() => undefined)
      outcomes.set(name, outcome)
    }
  }
}
beforeAll(startCases)
afterAll(() => Promise.all(installations.map(({ stop }) => stop())))

describe('imports and exports, each kept back at one of their stages', () => {
  it.each(survived)('are complete and made once when %s, and the next ones run as always', name => outcomes.get(name))

  it('fail with a reason while the git server is down, and are complete and made once after a retry', () =>
    outcomes.get(down))
})
