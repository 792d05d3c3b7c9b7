import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace, pagesOf } from '../harness/generated-space.ts'
import { median, rounded } from '../harness/statistics.ts'

const small = 100
const large = 10_000
const rounds = 15
/** Pages that a large change request changes, and changes of one batch. */
const changed = 500
const batch = 50

interface MergedSpace {
  space: string
  /** Ids of its pages. */
  pages: string[]
}

/** An edit in a change request and its merge, in 10,000 pages against 100, with main content changed meanwhile; a merge of 500 changed pages. */
export const measureMerging: Measure = async bench => {
  const few = await aMergedSpace(bench, small)
  const many = await aMergedSpace(bench, large)
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.few.push(await editAndMerge(bench, few, round))
    times.many.push(await editAndMerge(bench, many, round))
  }
  const slow = median(times.many)
  const fast = median(times.few)
  const findings: Finding[] = [
    {
      what: `edit and merge of one page in ${large.toLocaleString('en')} pages, against ${small}`,
      value: rounded(slow / fast),
      unit: 'x',
      budget: { atMost: 2 },
      detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
      figures: times,
    },
  ]
  const ms = await mergeOfMany(bench, many)
  findings.push({
    what: `merge of ${changed} changed pages in ${large.toLocaleString('en')}, with as many changed in main content`,
    value: rounded(ms / 1000),
    unit: 's',
    budget: { atMost: 3 },
    detail: `${(ms / changed).toFixed(2)} ms a page`,
    figures: { ms },
  })
  return findings
}

const edit = (page: string, markdown: string) => ({ operation: 'update_page', page, document: { markdown } })
const write = ({ api }: Bench, path: string, changes: object[]) => api.post(path, { changes })

async function propose({ api }: Bench, space: string): Promise<string> {
  const { id } = await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Measured' })
  return `/spaces/${space}/change-requests/${id}`
}

async function merge({ api }: Bench, changeRequest: string): Promise<void> {
  const { result } = await api.post<{ result: string }>(`${changeRequest}/merge`, {})
  if (result !== 'merge') throw new Error(`The merge ended with ${result}`)
}

/** Milliseconds; the change request and a change of main content, which the merge has to keep, are made before. */
async function editAndMerge(bench: Bench, { space, pages }: MergedSpace, round: number): Promise<number> {
  const page = pages[(2 * round) % pages.length] ?? ''
  const other = pages[(2 * round + 1) % pages.length] ?? ''
  const changeRequest = await propose(bench, space)
  await write(bench, `/spaces/${space}/content`, [edit(other, `# Main\n\nRound ${round}.\n`)])
  const started = performance.now()
  await write(bench, `${changeRequest}/content`, [edit(page, `# Changed\n\nRound ${round}.\n`)])
  await merge(bench, changeRequest)
  return performance.now() - started
}

async function mergeOfMany(bench: Bench, { space, pages }: MergedSpace): Promise<number> {
  const changeRequest = await propose(bench, space)
  for (let at = 0; at < changed; at += batch) {
    const ours = pages.slice(at, at + batch)
    const theirs = pages.slice(changed + at, changed + at + batch)
    await write(
      bench,
      `${changeRequest}/content`,
      ours.map(page => edit(page, `# Changed\n\nIn page ${page}.\n`)),
    )
    await write(
      bench,
      `/spaces/${space}/content`,
      theirs.map(page => edit(page, `# Main\n\nIn page ${page}.\n`)),
    )
  }
  const started = performance.now()
  await merge(bench, changeRequest)
  return performance.now() - started
}

async function aMergedSpace(bench: Bench, count: number): Promise<MergedSpace> {
  const { space } = await generatedSpace(bench, count)
  return { space, pages: await pagesOf(bench, space) }
}
