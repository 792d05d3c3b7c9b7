import { Api } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import { seedOrganization } from '../harness/seeding.ts'
import { StatementLog } from '../harness/statement-log.ts'
import { median, rounded } from '../harness/statistics.ts'

const levels = 5
const collectionsPerLevel = 8
const spaces = 2_000
const grants = 300
const reads = 60
/** Every sixth seeded member is a guest. */
const guestNumber = 5

/** Lists of a guest with two grants among 2,000 spaces in five levels of collections with 300 grants, against a flat organization of the same size. */
export const measureTrees: Measure = async bench => {
  const deep = await createTree(bench, levels)
  const flat = await createTree(bench, 0)
  const log = await StatementLog.open(bench)
  const statements = async ({ api, path }: Tree) => (await log.capture(() => api.get(path))).length
  const more = await statements(deep)
  const fewer = await statements(flat)
  await log.close()
  const times = { deep: [] as number[], flat: [] as number[] }
  for (let read = 0; read < reads; read++) {
    times.flat.push((await flat.api.time(flat.path)).ms)
    times.deep.push((await deep.api.time(deep.path)).ms)
  }
  const deeper = median(times.deep)
  const flatter = median(times.flat)
  for (const { api } of [deep, flat]) api.close()
  const what = `of a guest's list in ${levels} levels, ${spaces.toLocaleString('en')} spaces and ${grants} grants, against a flat organization`
  return [
    {
      what: `statements ${what}`,
      value: rounded(more / fewer),
      unit: 'x',
      budget: { atMost: 1 },
      detail: `${more} against ${fewer}`,
      figures: { deep: more, flat: fewer },
    },
    {
      what: `time ${what}`,
      value: rounded(deeper / flatter),
      unit: 'x',
      detail: `${deeper.toFixed(1)} ms against ${flatter.toFixed(1)} ms`,
      figures: { deep: deeper, flat: flatter },
    },
  ]
}

interface Tree {
  /** API client of the guest. */
  api: Api
  path: string
}

async function createTree(bench: Bench, depth: number): Promise<Tree> {
  const organization = await seedOrganization(bench, { members: 400, teams: 10 })
  const parents = await createCollections(bench, organization, depth)
  const made: string[] = []
  for (let at = 0; at < spaces; at++) {
    const parent = parents[at % Math.max(parents.length, 1)]
    made.push(
      (
        await bench.api.post<{ id: string }>(`/orgs/${organization}/spaces`, {
          title: `Space ${at}`,
          ...(parent !== undefined && { parent }),
        })
      ).id,
    )
  }
  for (let at = 0; at < grants; at++) await grant(bench, made[(at * 7) % spaces], `${organization}${(at % 390) + 6}`)
  const guest = `${organization}${guestNumber}`
  for (const at of [1, spaces - 1]) await grant(bench, made[at], guest)
  const { token } = await bench.api.post<{ token: string }>(`/users/${guest}/tokens`, { name: 'bench' })
  const api = new Api({ url: bench.stack.url, token })
  const path = `/orgs/${organization}/spaces?limit=1000`
  const { count } = await api.get<{ count: number }>(path)
  if (count !== 2) throw new Error(`The guest sees ${count} spaces instead of 2`)
  return { api, path }
}

/** Creates collections, each in one of the level above. */
async function createCollections({ api }: Bench, organization: string, depth: number): Promise<string[]> {
  const all: string[] = []
  let above: string[] = []
  for (let level = 0; level < depth; level++) {
    const made: string[] = []
    for (let at = 0; at < collectionsPerLevel; at++) {
      const parent = above[at]
      made.push(
        (
          await api.post<{ id: string }>(`/orgs/${organization}/collections`, {
            title: `Level ${level}`,
            ...(parent !== undefined && { parent }),
          })
        ).id,
      )
    }
    all.push(...made)
    above = made
  }
  return all
}

async function grant({ api }: Bench, space: string | undefined, user: string): Promise<void> {
  await api.post(`/spaces/${space}/permissions`, { users: [user], role: 'read' })
}
