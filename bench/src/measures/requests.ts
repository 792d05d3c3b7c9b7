import { Api } from '../harness/api.ts'
import { startBarePipe } from '../harness/bare-pipe.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { generatedSpace, pagesOf } from '../harness/generated-space.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const pages = 50
/** Requests of each kind, each after one of the bare pipe. */
const rounds = 100
const unmeasured = 10

const text = (round: number) =>
  `# Edited\n\n${Array.from({ length: 20 }, (_, at) => `Paragraph ${at} of round ${round}, with [a link](README.md).`).join('\n\n')}\n`

/** A kind of request: prepares one, and resolves to the milliseconds that it took. */
interface Kind {
  what: string
  bare: 'statement' | 'transaction'
  budget: number
  time(round: number): Promise<number>
  timeOfBare(round: number): Promise<number>
}

/**
 * Milliseconds of a list, a write and a merge, one request after the other, against a bare pipe of the same hops: one statement for the list,
 * and one transaction of as many rows for the others.
 */
export const measureRequests: Measure = async bench => {
  const bare = new Api({ url: await startBarePipe(bench), token: '' })
  bench.cleanup.add(async () => bare.close())
  const kinds = await kindsIn(bench, bare)
  const findings: Finding[] = []
  for (const kind of kinds) findings.push(await measure(kind))
  return findings
}

async function kindsIn(bench: Bench, bare: Api): Promise<Kind[]> {
  const { api } = bench
  const { space } = await generatedSpace(bench, pages)
  const ids = await pagesOf(bench, space)
  const edit = (round: number) => ({
    changes: [{ operation: 'update_page', page: ids[round % ids.length], document: { markdown: text(round) } }],
  })
  const write = async (to: Api, path: string, content: unknown) => (await to.time(path, content)).ms
  const timeOfWrite = (round: number) => write(bare, '/bare/content', edit(round))
  return [
    {
      what: `list of ${pages} pages`,
      bare: 'statement',
      budget: 3,
      time: async () => (await api.time(`/spaces/${space}/content/pages`)).ms,
      timeOfBare: async () => (await bare.time('/bare/pages')).ms,
    },
    {
      what: 'change of one page',
      bare: 'transaction',
      budget: 5,
      time: round => write(api, `/spaces/${space}/content`, edit(round)),
      timeOfBare: timeOfWrite,
    },
    {
      what: 'merge of one changed page',
      bare: 'transaction',
      budget: 6,
      async time(round) {
        const { id } = await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: `Round ${round}` })
        const changeRequest = `/spaces/${space}/change-requests/${id}`
        await api.post(`${changeRequest}/content`, edit(round + rounds))
        return write(api, `${changeRequest}/merge`, {})
      },
      timeOfBare: timeOfWrite,
    },
  ]
}

async function measure({ what, bare, budget, time, timeOfBare }: Kind): Promise<Finding> {
  const times = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round < unmeasured + rounds; round += 1) {
    const ofBare = await timeOfBare(round)
    const ofProduct = await time(round)
    if (round < unmeasured) continue
    times.bare.push(ofBare)
    times.product.push(ofProduct)
  }
  const middle = { product: median(times.product), bare: median(times.bare) }
  return {
    what: `${what}, against a bare ${bare} with the same hops`,
    value: rounded(middle.product / middle.bare),
    unit: 'x',
    budget: { atMost: budget },
    detail: `${middle.product.toFixed(1)} ms, p99 ${quantile(times.product, 0.99).toFixed(1)}, against ${middle.bare.toFixed(1)} ms`,
    figures: times,
  }
}
