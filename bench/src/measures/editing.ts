import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace, pagesOf } from '../harness/generated-space.ts'
import { median, rounded } from '../harness/statistics.ts'

const small = 100
const large = 10_000
const rounds = 20

interface EditedSpace {
  space: string
  /** Ids of its document pages. */
  pages: string[]
}

/** An edit of one page with the first read of it, in 10,000 pages against 100; the page tree after an edit, and links. */
export const measureEditing: Measure = async bench => {
  const few = await anEditedSpace(bench, small)
  const many = await anEditedSpace(bench, large)
  const findings: Finding[] = []
  // One kind of work after the other: what an insertion leaves to do in the background would count for the edit that follows.
  for (const { what, budget, work } of kinds) {
    const times = { few: [] as number[], many: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      times.few.push(await timed(() => work(bench, few, round)))
      times.many.push(await timed(() => work(bench, many, round)))
    }
    const slow = median(times.many)
    const fast = median(times.few)
    findings.push({
      what: `${what} in ${large.toLocaleString('en')} pages, against ${small}`,
      value: rounded(slow / fast),
      unit: 'x',
      ...(budget !== undefined && { budget: { atMost: budget } }),
      detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
      figures: times,
    })
  }
  return findings
}

interface Kind {
  what: string
  budget?: number
  work(bench: Bench, space: EditedSpace, round: number): Promise<unknown>
}

const anyOf = (pages: string[]): string => pages[Math.floor(Math.random() * pages.length)] ?? ''
const write = ({ api }: Bench, space: string, change: object) =>
  api.post(`/spaces/${space}/content`, { changes: [change] })

const kinds: Kind[] = [
  { what: 'first hundred links', work: ({ api }, { space }) => api.get(`/spaces/${space}/links?limit=100`) },
  {
    what: 'edit of one page and its first read',
    budget: 2,
    async work(bench, { space, pages }, round) {
      const page = anyOf(pages)
      const markdown = `# Edited\n\nRound ${round} of [it](README.md).\n`
      await write(bench, space, { operation: 'update_page', page, document: { markdown } })
      await bench.api.get(`/spaces/${space}/content/page/${page}?format=markdown`)
    },
  },
  {
    what: 'page tree, a hundred times as long,',
    work: ({ api }, { space }) => api.get(`/spaces/${space}/content/pages`),
  },
  {
    what: 'insertion of a page',
    work: (bench, { space, pages }, round) =>
      write(bench, space, {
        operation: 'insert_page',
        title: `Round ${round}`,
        into: anyOf(pages),
        document: { markdown: 'New.' },
      }),
  },
]

async function anEditedSpace(bench: Bench, count: number): Promise<EditedSpace> {
  const { space } = await generatedSpace(bench, count)
  return { space, pages: await pagesOf(bench, space) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
