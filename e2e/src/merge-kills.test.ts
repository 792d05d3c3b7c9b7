import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { testSeed } from './config.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'
import { aSpace, request } from './walk.ts'

const rounds = 9
/** Change requests that are merged at the same time in each round: the first two add pages, the third changes a page that all third ones change. */
const atOnce = 3
const killed = ['content', 'postgres', 'nats'] as const
/** Most milliseconds between the first request of a round and the kill. */
const longest = 60

let stack: Stack
beforeAll(async () => void (stack = await startStack({ env: { ...usualTime, RATE_LIMIT: '1000000' } })))
afterAll(async () => {
  await stack.stop()
  await removeData(stack.dataDir)
})

interface ChangeRequest {
  id: string
  number: number
  status: string
  revisionMerged?: string
}

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

const change = (path: string, ...changes: object[]) =>
  request<{ changes: { page?: { id: string } }[] }>(stack, 'POST', `${path}?compat=false`, { changes })

/** Merges until it is known how it ended: an answer that was lost says nothing. */
async function mergeUntilKnown(spaceId: string, id: string): Promise<'merged' | 'conflicts'> {
  const path = `/spaces/${spaceId}/change-requests/${id}`
  return eventually(async () => {
    const { status } = await request<ChangeRequest>(stack, 'GET', path)
    if (status === 'merged') return 'merged'
    const { result } = await request<{ result: string }>(stack, 'POST', `${path}/merge`)
    return result === 'merge' ? 'merged' : 'conflicts'
  })
}

it(`merges that are killed at any moment are made once or not at all (seed ${testSeed})`, async () => {
  const random = randomFrom(testSeed)
  const { spaceId } = await aSpace(stack)
  const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } })
  const { changes } = await change(`/spaces/${spaceId}/content`, insert('Shared'))
  const shared = changes[0]?.page?.id ?? ''
  const proposed: { id: string; at: number }[] = []
  for (let at = 0; at < rounds * atOnce; at += 1) {
    const { id } = (await stack.client.spaces.createChangeRequest(spaceId, { subject: `Number ${at}` })).data
    const markdown = `# Shared\n\nBy ${at}\n`
    const edit =
      at % atOnce === 2 ? { operation: 'update_page', page: shared, document: { markdown } } : insert(`Page word${at}`)
    await change(`/spaces/${spaceId}/change-requests/${id}/content`, edit)
    proposed.push({ id, at })
  }

  const ended = new Map<string, string>()
  for (let round = 0; round < rounds; round += 1) {
    const some = proposed.slice(round * atOnce, (round + 1) * atOnce)
    const merging = some.map(async ({ id }) => ended.set(id, await mergeUntilKnown(spaceId, id)))
    await sleep(random() * longest)
    process.kill(stack.pidOf(killed[round % killed.length] ?? 'content'), 'SIGKILL')
    await Promise.all(merging)
  }

  const { items } = (await eventually(() => request(stack, 'GET', `/spaces/${spaceId}/revisions?limit=1000`))) as {
    items: { id: string; number: number; parents: string[]; mergedFrom?: ChangeRequest }[]
  }
  // Linear history: each revision follows the one before it.
  expect(items.map(({ number }) => number)).toEqual(items.map((_item, at) => items.length - at))
  for (const [at, { parents }] of items.slice(0, -1).entries()) expect(parents[0]).toBe(items[at + 1]?.id)
  // Each change request that says so was merged by exactly one revision, and no other was.
  const merged = proposed.filter(({ id }) => ended.get(id) === 'merged')
  const merges = items.flatMap(({ id, mergedFrom }) => (mergedFrom ? [[mergedFrom.id, id]] : []))
  const claimed = await Promise.all(
    proposed.map(({ id }) => request<ChangeRequest>(stack, 'GET', `/spaces/${spaceId}/change-requests/${id}`)),
  )
  const byId = (a: string[], b: string[]) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)
  expect(merges.toSorted(byId)).toEqual(
    claimed
      .flatMap(({ id, revisionMerged }) => (revisionMerged === undefined ? [] : [[id, revisionMerged]]))
      .toSorted(byId),
  )
  expect(new Set(merges.map(([id]) => id))).toEqual(new Set(merged.map(({ id }) => id)))
  // The model: all that add pages are merged, and the first of those that change the shared page.
  const sharing = proposed.filter(({ at }) => at % atOnce === 2)
  expect(merged.filter(one => sharing.includes(one))).toHaveLength(1)
  expect(merged).toHaveLength(proposed.length - sharing.length + 1)
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  const added = proposed.filter(({ at }) => at % atOnce !== 2).map(({ at }) => `page-word${at}`)
  expect(pages.map(page => ('path' in page ? page.path : '')).toSorted()).toEqual(['shared', ...added].toSorted())
  // No event was lost: what was merged is found.
  for (const { at } of proposed.filter(({ at }) => at % atOnce !== 2))
    await eventually(async () => {
      const hits = await stack.client.spaces.searchSpaceContent(spaceId, { query: `word${at}` })
      expect(hits.data.items.map(({ path }) => path)).toContain(`page-word${at}`)
    })
})
