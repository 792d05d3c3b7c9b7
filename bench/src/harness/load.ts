import { createRequire } from 'node:module'
import { waitForExit, run } from './children.ts'
import type { Cleanup } from './cleanup.ts'

const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')

/** The result of a load test on persistent connections. */
export interface Load {
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

interface Result {
  requests: { average: number }
  latency: { p50: number; p99: number }
  non2xx: number
  errors: number
}

interface LoadOptions {
  token?: string
  /** Posted as JSON. */
  content?: unknown
  /** The value of `Accept-Encoding`. */
  encoding?: string
  seconds: number
  connections?: number
}

/** Requests one URL as fast as possible, from a separate process. Throws when a response was not a 2xx. */
export async function measureLoad(
  cleanup: Cleanup,
  url: string,
  { token, content, encoding, seconds, connections = 10 }: LoadOptions,
): Promise<Load> {
  const header = [
    ...(token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]),
    ...(encoding === undefined ? [] : ['-H', `accept-encoding=${encoding}`]),
  ]
  const post = ['-m', 'POST', '-H', 'content-type=application/json', '-b', JSON.stringify(content)]
  const output = await waitForExit(
    run(cleanup, [
      process.execPath,
      autocannon,
      '-j',
      '-n',
      '-c',
      String(connections),
      '-d',
      String(seconds),
      ...header,
      ...(content === undefined ? [] : post),
      url,
    ]),
  )
  const { requests, latency, non2xx, errors } = JSON.parse(output.slice(output.indexOf('{'))) as Result
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} responses were not 2xx, ${errors} failed`)
  return { requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}
