import { expect, test } from '@jest/globals'
import { createMetrics } from './index.ts'

test('an operation is counted, timed and its errors told by code', async () => {
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

test('a pool shows its connections as they are when asked', async () => {
  const metrics = createMetrics('content')
  const state = { total: 3, idle: 1, waiting: 0 }
  metrics.registerPool('postgres', () => state)
  state.waiting = 7
  const { body } = await metrics.text()
  expect(body).toContain('pool_connections{pool="postgres",state="total",service="content"} 3')
  expect(body).toContain('pool_connections{pool="postgres",state="waiting",service="content"} 7')
})

test('a queue that cannot be asked is left out, the others are shown', async () => {
  const metrics = createMetrics('git-worker')
  metrics.registerQueue('jobs', async () => 12)
  metrics.registerQueue('lost', async () => {
    throw new Error('no connection')
  })
  const { body } = await metrics.text()
  expect(body).toContain('queue_depth{queue="jobs",service="git-worker"} 12')
  expect(body).not.toContain('queue="lost"')
})
