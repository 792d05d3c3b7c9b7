import { totalmem } from 'node:os'
import { eventually } from '@recto/testing'
import { expect, test } from '@jest/globals'
import { createMetrics } from './index.ts'

test('an operation is counted and timed, with its errors by code', async () => {
  const metrics = createMetrics('content')
  metrics.operations.observe({ operation: 'getSpace', seconds: 0.02 })
  metrics.operations.observe({ operation: 'getSpace', seconds: 0.3, code: 'not_found' })
  const { body, contentType } = await metrics.text()
  expect(contentType).toMatch(/^text\/plain; version=0.0.4/)
  expect(body).toContain('operations_total{operation="getSpace",service="content"} 2')
  expect(body).toContain('operation_errors_total{operation="getSpace",code="not_found",service="content"} 1')
  expect(body).toContain('operation_duration_seconds_bucket{le="0.025",service="content",operation="getSpace"} 1')
  expect(body).toContain('operation_duration_seconds_sum{service="content",operation="getSpace"} 0.32')
  expect(body).toContain('process_cpu_seconds_total{service="content"}')
})

test('a pool reports its current connections when scraped', async () => {
  const metrics = createMetrics('content')
  const state = { total: 3, idle: 1, waiting: 0 }
  metrics.registerPool('postgres', () => state)
  state.waiting = 7
  const { body } = await metrics.text()
  expect(body).toContain('pool_connections{pool="postgres",state="total",service="content"} 3')
  expect(body).toContain('pool_connections{pool="postgres",state="waiting",service="content"} 7')
})

test('a queue that cannot be queried is omitted, the others are reported', async () => {
  const metrics = createMetrics('git-worker')
  metrics.registerPool('closed', () => {
    throw new TypeError('no pool')
  })
  metrics.registerQueue('jobs', async () => 12)
  metrics.registerQueue('lost', async () => {
    throw new Error('no connection')
  })
  const { body } = await metrics.text()
  expect(body).toContain('queue_depth{queue="jobs",service="git-worker"} 12')
  expect(body).not.toContain('queue="lost"')
  expect(body).not.toContain('pool="closed"')
})

test('a process reports whether it is ready, when scraped', async () => {
  const metrics = createMetrics('content')
  let isReady = false
  metrics.registerReadiness(async () => isReady)
  expect((await metrics.text()).body).toContain('process_ready{service="content"} 0')
  isReady = true
  expect((await metrics.text()).body).toContain('process_ready{service="content"} 1')
})

test('queues that are read together report depth and age, with one reading for each scrape', async () => {
  const metrics = createMetrics('content')
  let readings = 0
  metrics.registerQueues(async () => ({ outbox: { depth: 3, oldest: 1.5 }, events: { depth: (readings += 1) } }))
  for (const reading of [1, 2]) {
    const { body } = await metrics.text()
    expect(body).toContain('queue_depth{queue="outbox",service="content"} 3')
    expect(body).toContain(`queue_depth{queue="events",service="content"} ${reading}`)
    expect(body.match(/^queue_oldest_seconds.*$/gm)).toEqual([
      'queue_oldest_seconds{queue="outbox",service="content"} 1.5',
    ])
  }
})

test('the memory that the process may use is at most that of the machine', async () => {
  const { body } = await createMetrics('content').text()
  const [, value = ''] = /^process_memory_limit_bytes\{service="content"\} (\S+)$/m.exec(body) ?? []
  expect(Number(value)).toBeGreaterThan(process.memoryUsage().heapUsed)
  expect(Number(value)).toBeLessThanOrEqual(totalmem())
})

test('the event loop reports its utilisation and the delay of timers', async () => {
  const metrics = createMetrics('content')
  const valueOf = (body: string, name: string) =>
    Number(new RegExp(`^${name}\\{service="content"\\} (\\S+)$`, 'm').exec(body)?.[1])
  const { body: before } = await metrics.text()
  const lag = async () => {
    for (const until = performance.now() + 60; performance.now() < until;);
    return valueOf((await metrics.text()).body, 'nodejs_eventloop_lag_max_seconds')
  }
  await eventually(async () => expect(await lag()).toBeGreaterThan(0.01))
  const { body } = await metrics.text()
  expect(valueOf(body, 'nodejs_eventloop_active_seconds_total')).toBeGreaterThan(
    valueOf(before, 'nodejs_eventloop_active_seconds_total') + 0.05,
  )
  for (const name of ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99']) {
    expect(valueOf(body, `nodejs_eventloop_lag${name}_seconds`)).toBeGreaterThanOrEqual(0)
  }
})
