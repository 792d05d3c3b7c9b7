import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { type GeneratedSpace, generatedSpace, newGeneratedSpace } from '../harness/generated-space.ts'
import { memoryOf, restartProcess } from '../harness/stack.ts'
import { rounded } from '../harness/statistics.ts'

const pages = 10_000
const reads = 200
const edits = 5
const megabyte = 1024 * 1024

/** Memory of content above idle after the work of a space of 10,000 pages, and after that of several. */
export const measureMemory: Measure = async bench => {
  const first = await generatedSpace(bench, pages)
  const pid = await restartProcess(bench.stack, 'content')
  const idle = await memoryOf(pid, 'VmRSS')
  if (idle === undefined) {
    bench.print('  not measured: there is no /proc')
    return []
  }
  const seen: number[] = []
  const note = async (what: string) => {
    const now = (((await memoryOf(pid, 'VmRSS')) ?? 0) - idle) / megabyte
    seen.push(now)
    bench.print(`  ${what}: ${now.toFixed(0)} MB above idle (${(idle / megabyte).toFixed(0)} MB)`)
    return now
  }
  await workWith(bench, first, note)
  const one = Math.max(...seen)
  // Their imports are indexed by the same process.
  const others = [await newGeneratedSpace(bench, pages), await newGeneratedSpace(bench, pages)]
  await note('two more spaces, indexed')
  for (const space of others) await workWith(bench, space)
  await note('two more spaces, read and edited')
  const detail = `${(idle / megabyte).toFixed(0)} MB when idle`
  const figures = { idle: idle / megabyte, above: seen }
  return [
    finding('a space', { above: one, budget: 400, detail, figures }),
    finding('three spaces', { above: Math.max(...seen), budget: 700, detail, figures }),
  ]
}

function finding(
  what: string,
  { above, budget, ...rest }: { above: number; budget: number } & Pick<Finding, 'detail' | 'figures'>,
): Finding {
  return {
    what: `memory of content above idle after the work of ${what} of ${pages.toLocaleString('en')} pages`,
    value: rounded(above),
    unit: 'MB',
    budget: { atMost: budget },
    ...rest,
  }
}

interface Listed {
  id: string
  pages?: Listed[]
}

/** Content, page tree, pages, edits, searches and links of a space. */
async function workWith(
  { api }: Bench,
  { space }: GeneratedSpace,
  note: (what: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await api.get(`/spaces/${space}/content`)
  await note('content')
  const tree = await api.get<{ pages: Listed[] }>(`/spaces/${space}/content/pages`)
  const ids = tree.pages.flatMap(({ id, pages: below = [] }) => [id, ...below.map(page => page.id)])
  await note('page tree')
  for (let at = 0; at < reads; at += 1) {
    const page = ids[(at * 47) % ids.length]
    await api.get(`/spaces/${space}/content/page/${page}?format=${at % 2 ? 'markdown' : 'document'}`)
  }
  await note(`${reads} pages`)
  for (let at = 0; at < edits; at += 1) {
    const document = { markdown: `# Edited ${at}\n\nOnce more.\n` }
    await api.post(`/spaces/${space}/content`, { changes: [{ operation: 'update_page', page: ids[at], document }] })
    await api.get(`/spaces/${space}/content/pages`)
  }
  await note(`${edits} edits`)
  for (const query of ['paragraph', 'option_42_3', 'paragrahp']) await api.get(`/spaces/${space}/search?query=${query}`)
  await note('searches')
  await api.get(`/spaces/${space}/links?limit=100`)
  await note('links')
}
