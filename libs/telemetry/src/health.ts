import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'
import { withTimeout } from './with-timeout.ts'

const READY_LIMIT_MS = 2_000

/** True, or the reason why the process cannot take work now. */
export type Readiness = () => Promise<true | string>

/** What the three health routes report. */
export interface HealthSources {
  ready: Readiness
  metrics: Metrics
}

interface Answer {
  status: number
  body: string
  contentType?: string
}

/** Answers a request and returns true, or leaves it alone and returns false. */
export type HealthHandler = (req: IncomingMessage, res: ServerResponse) => boolean

/** A handler of `/livez`, `/readyz` (200, or 503 with the reason) and `/metrics`; false for any other request, which it leaves alone. */
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

/** The readiness now; an error is a reason, and so is no answer within two seconds. */
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
