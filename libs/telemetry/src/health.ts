import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'
import { withTimeout } from './with-timeout.ts'

const READY_LIMIT_MS = 2_000

/** Resolves to true, or to the reason why the process is not ready. */
export type Readiness = () => Promise<true | string>

/** Sources of the three health routes. */
export interface HealthSources {
  ready: Readiness
  metrics: Metrics
}

interface Answer {
  status: number
  body: string
  contentType?: string
}

/** Handles a health request and returns true; returns false for any other request. */
export type HealthHandler = (req: IncomingMessage, res: ServerResponse) => boolean

/** Creates the handler of `/livez`, `/readyz` (200, or 503 with the reason) and `/metrics`. */
export function healthRoutes(sources: HealthSources): HealthHandler {
  const routes = new Map<string, () => Promise<Answer>>([
    ['/livez', async () => ({ status: 200, body: 'alive\n' })],
    ['/readyz', () => readiness(sources.ready)],
    ['/metrics', async () => ({ status: 200, ...(await sources.metrics.text()) })],
  ])
  return (req, res) => {
    const route = routes.get(req.url?.split('?', 1)[0] ?? '')
    if (route === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false
    void route().then(
      answer => send(res, answer),
      () => send(res, { status: 500, body: 'failed\n' }),
    )
    return true
  }
}

/** Checks readiness; an error, or no result within two seconds, is a reason. */
export async function checkReadiness(ready: Readiness): Promise<true | string> {
  try {
    return (await withTimeout(READY_LIMIT_MS, ready())) ?? 'the readiness check takes too long'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function readiness(ready: Readiness): Promise<Answer> {
  const state = await checkReadiness(ready)
  return state === true ? { status: 200, body: 'ready\n' } : { status: 503, body: `${state}\n` }
}

function send(res: ServerResponse, { status, body, contentType = 'text/plain; charset=utf-8' }: Answer): void {
  res.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body)
}
