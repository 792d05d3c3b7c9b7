import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createMetrics, healthRoutes } from './index.ts'
import type { Readiness } from './index.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach(close => close()))

async function served(ready: Readiness): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const health = healthRoutes({ ready, metrics: createMetrics('toy') })
  const server = createServer((req, res) => {
    if (!health(req, res)) res.writeHead(418).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (path, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)
}

test('a ready process is alive, ready and measured', async () => {
  const get = await served(async () => true)
  expect((await get('/livez')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)
  expect(await (await get('/metrics')).text()).toContain('process_cpu_seconds_total')
})

const reasons: [string, Readiness, string][] = [
  ['says why', async () => 'migrations are missing', 'migrations are missing\n'],
  ['throws', async () => Promise.reject(new Error('no connection')), 'no connection\n'],
]
test.each(reasons)('a check that %s makes it 503 with the reason, and still alive', async (_what, ready, body) => {
  const get = await served(ready)
  const answer = await get('/readyz?verbose')
  expect([answer.status, await answer.text()]).toEqual([503, body])
  expect((await get('/livez')).status).toBe(200)
})

test('other paths and methods are left to the server they are mounted on', async () => {
  const get = await served(async () => true)
  expect((await get('/livez/x')).status).toBe(418)
  expect((await get('/readyz', { method: 'POST' })).status).toBe(418)
  expect((await get('/readyz', { method: 'HEAD' })).status).toBe(200)
})
