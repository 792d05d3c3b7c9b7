import { aSpace } from '../harness/api.ts'
import { startBarePipe } from '../harness/bare-pipe.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { measureLoad, type Load } from '../harness/load.ts'
import { median, rounded } from '../harness/statistics.ts'

const rounds = 11
const seconds = 2
/** Connections: with the second number, queueing shows in the slowest requests. */
const few = 10
const many = 32

interface Round {
  bare: Load
  product: Load
}

/** Requests per second, and the slowest requests, of `GET /v1/spaces/{id}` against a bare pipe of the same hops. */
export const measureSpaceRead: Measure = async bench => {
  const path = `/v1/spaces/${await aSpace(bench.api, bench.organization)}`
  const urls = { bare: `${await startBarePipe(bench)}${path}`, product: `${bench.stack.url}${path}` }
  const withFew = await loadAlternately(bench, urls, few)
  const withMany = await loadAlternately(bench, urls, many)
  return [
    throughputFinding(withFew, few, { atLeast: 70 }),
    throughputFinding(withMany, many, { atLeast: 80 }),
    latencyFinding(withMany, many),
  ]
}

/** Loads both in alternating rounds, after a warm-up round. */
async function loadAlternately(
  { stack, cleanup, print }: Bench,
  urls: { bare: string; product: string },
  connections: number,
): Promise<Round[]> {
  const bare = () => measureLoad(cleanup, urls.bare, { seconds, connections })
  const product = () => measureLoad(cleanup, urls.product, { token: stack.token, seconds, connections })
  await bare()
  await product()
  const figures: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    const first = round % 2 === 1 ? await bare() : undefined
    const between = await product()
    figures.push({ product: between, bare: first ?? (await bare()) })
    const last = figures.at(-1)
    if (last) print(`  ${connections} connections: ${describeRound(last)}: ${Math.round(ratio(last) * 100)} %`)
  }
  return figures
}

const ratio = ({ bare, product }: Round): number => product.requestsPerSecond / bare.requestsPerSecond
const describeRound = ({ bare, product }: Round): string =>
  `${Math.round(product.requestsPerSecond)} of ${Math.round(bare.requestsPerSecond)} requests/s`

function throughputFinding(figures: Round[], connections: number, budget: NonNullable<Finding['budget']>): Finding {
  const middle = (of: (round: Round) => number) => Math.round(median(figures.map(of)))
  return {
    what: `GET space, of a bare pipe with the same hops, ${connections} connections`,
    value: rounded(median(figures.map(ratio)) * 100, 1),
    unit: '%',
    budget,
    detail: `${middle(({ product }) => product.requestsPerSecond)} of ${middle(({ bare }) => bare.requestsPerSecond)} requests/s`,
    figures: { rounds: figures },
  }
}

function latencyFinding(figures: Round[], connections: number): Finding {
  const p99 = (of: 'bare' | 'product') => median(figures.map(round => round[of].p99))
  return {
    what: `slowest of 100 GET space, against the bare pipe, ${connections} connections`,
    value: rounded(median(figures.map(({ bare, product }) => product.p99 / bare.p99))),
    unit: 'x',
    budget: { atMost: 1.3 },
    detail: `p99 ${p99('product')} ms against ${p99('bare')} ms`,
    figures: { product: p99('product'), bare: p99('bare') },
  }
}
