import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { testSeed } from './config.ts'
import {
  aServedRepository,
  change,
  inRepository,
  outlineOfSpace,
  stack,
  startOwnExports,
  stopExports,
} from './exports.ts'
import { expectInStep, getSync, inStep, operationsOf, pushTo, sendPush, setSync, tipOf, titlesOf } from './syncs.ts'
import { aSpace, importRepository } from './walk.ts'

const steps = 30
const killed = ['content', 'git-worker'] as const

beforeAll(startOwnExports)
afterAll(stopExports)

/** Numbers from 0 up to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Kills a process; one that was killed just before may not be running again. */
function kill(name: string): void {
  try {
    process.kill(stack.pidOf(name), 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Adds a page to the space; a request whose answer was lost may have been carried out. */
async function edit(spaceId: string, title: string): Promise<void> {
  const insert = { operation: 'insert_page', title, document: { markdown: `# ${title}\n` } }
  await eventually(async () => {
    if (!(await titlesOf(spaceId)).includes(title)) await change(spaceId, [insert])
  })
}

/** Adds a page to the branch. */
function push(repository: string, title: string): Promise<string> {
  const file = `${title.toLowerCase().replace(' ', '-')}.md`
  const contents = (before: string) => `${before}* [${title}](${file})\n`
  return pushTo(repository, { [file]: `# ${title}\n`, 'SUMMARY.md': contents })
}

it(`edits, pushes, lost webhooks and killed processes lose nothing and make no loop (seed ${testSeed})`, async () => {
  const random = randomFrom(testSeed)
  const { repository, url } = await aServedRepository({
    'README.md': '# Home\n',
    'SUMMARY.md': '* [Home](README.md)\n',
  })
  const { path } = repository
  const { spaceId } = await aSpace(stack)
  await setSync(spaceId, url, { pollInterval: 10 })
  await inStep(spaceId, path)
  const titles = ['Home']
  for (let step = 0; step < steps; step += 1) {
    const chance = random()
    if (chance < 0.4) titles.push(`Edit ${step}`)
    else if (chance < 0.8) titles.push(`Push ${step}`)
    else kill(killed[step % killed.length] ?? 'content')
    const title = titles.at(-1) ?? ''
    if (chance < 0.4) await edit(spaceId, title)
    else if (chance < 0.8) {
      const commit = await push(path, title)
      if (random() < 0.5) await sendPush(spaceId, commit).catch(() => undefined)
    }
  }
  await eventually(async () => {
    await expectInStep(spaceId, path)
    expect(await titlesOf(spaceId)).toEqual(titles.toSorted())
  })
  await inRepository(path, 'fsck', '--strict')

  const other = await aSpace(stack)
  await importRepository(stack, other.spaceId, url)
  expect(await outlineOfSpace(other.spaceId)).toEqual(await outlineOfSpace(spaceId))

  await setSync(spaceId, url)
  await eventually(async () => expect(await getSync(spaceId)).not.toHaveProperty('nextPollAt'))
  const operations = await operationsOf(spaceId)
  const tip = await tipOf(path)
  for (let time = 0; time < 5; time += 1) {
    await sendPush(spaceId, 'b'.repeat(40))
    await eventually(async () => expect(await getSync(spaceId)).not.toHaveProperty('nextPollAt'))
  }
  expect([await operationsOf(spaceId), await tipOf(path)]).toEqual([operations, tip])
})
