import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { median, rounded } from '../harness/statistics.ts'
import { generatedSpace } from './search.ts'

const [small, large] = [100, 10_000]
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
  const times = { few: [] as Times[], many: [] as Times[] }
  for (let round = 0; round < rounds; round += 1) {
    times.few.push(await editOnce(bench, few, round))
    times.many.push(await editOnce(bench, many, round))
  }
  const found = (what: string, of: keyof Times, budget?: number): Finding => {
    const [slow, fast] = [median(times.many.map(time => time[of])), median(times.few.map(time => time[of]))]
    return {
      what: `${what} in ${large.toLocaleString('en')} pages, against ${small}`,
      value: rounded(slow / fast),
      unit: 'x',
      ...(budget !== undefined && { budget: { atMost: budget } }),
      detail: `${slow.toFixed(1)} ms against ${fast.toFixed(1)} ms`,
      figures: times,
    }
  }
  return [
    found('edit of one page and its first read', 'editAndRead', 2),
    found('insertion of a page', 'insert'),
    found('page tree after an edit, a hundred times as long', 'tree'),
    found('first hundred links', 'links'),
  ]
}

interface Times {
  editAndRead: number
  insert: number
  tree: number
  links: number
}

async function anEditedSpace(bench: Bench, count: number): Promise<EditedSpace> {
  const { space } = await generatedSpace(bench, count)
  interface Listed {
    id: string
    pages?: Listed[]
  }
  const { pages } = await bench.api.get<{ pages: Listed[] }>(`/spaces/${space}/content/pages`)
  const flat = (all: Listed[]): string[] => all.flatMap(({ id, pages: below = [] }) => [id, ...flat(below)])
  return { space, pages: flat(pages) }
}

async function editOnce({ api }: Bench, { space, pages }: EditedSpace, round: number): Promise<Times> {
  const page = pages[Math.floor(Math.random() * pages.length)] ?? ''
  const write = (changes: object[]) => api.post(`/spaces/${space}/content`, { changes })
  const editAndRead = await timed(async () => {
    await write([
      { operation: 'update_page', page, document: { markdown: `# Edited\n\nRound ${round} of [it](README.md).\n` } },
    ])
    await api.get(`/spaces/${space}/content/page/${page}?format=markdown`)
  })
  const tree = await timed(() => api.get(`/spaces/${space}/content/pages`))
  const insert = await timed(() =>
    write([{ operation: 'insert_page', title: `Round ${round}`, into: page, document: { markdown: 'New.' } }]),
  )
  const links = await timed(() => api.get(`/spaces/${space}/links?limit=100`))
  return { editAndRead, insert, tree, links }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
