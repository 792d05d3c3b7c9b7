import { aSpace } from '../api.ts'
import { startBarePipe } from '../bare-pipe.ts'
import type { Measure } from '../bench.ts'
import { load } from '../load.ts'
import { median, rounded } from '../statistics.ts'

const rounds = 11
const seconds = 2

/** Requests per second of `GET /v1/spaces/{id}` against a bare pipe of the same hops, in alternating rounds. */
export const measureSpaceRead: Measure = async bench => {
  const { stack, api, organization, cleanup, say } = bench
  const path = `/v1/spaces/${await aSpace(api, organization)}`
  const bareUrl = await startBarePipe(bench)
  const product = () => load(cleanup, `${stack.url}${path}`, { token: stack.token, seconds })
  const bare = () => load(cleanup, `${bareUrl}${path}`, { seconds })
  await bare()
  await product()
  const figures = []
  for (let round = 1; round <= rounds; round++) {
    const [first, second] = round % 2 === 1 ? [await bare(), await product()] : [await product(), await bare()]
    const pair = round % 2 === 1 ? { bare: first, product: second } : { bare: second, product: first }
    const ratio = pair.product.requestsPerSecond / pair.bare.requestsPerSecond
    say(`  ${Math.round(pair.product.requestsPerSecond)} of ${Math.round(pair.bare.requestsPerSecond)} requests/s: ${Math.round(ratio * 100)} %`)
    figures.push({ ...pair, ratio })
  }
  const detail = `${Math.round(median(figures.map(({ product }) => product.requestsPerSecond)))} of ${Math.round(median(figures.map(({ bare }) => bare.requestsPerSecond)))} requests/s`
  return [
    {
      what: 'GET space, of a bare pipe with the same hops',
      value: rounded(median(figures.map(({ ratio }) => ratio)) * 100, 1),
      unit: '%',
      budget: { atLeast: 70 },
      detail,
      figures: { rounds: figures },
    },
  ]
}
