import { createServer } from 'node:http'
import { createLog, createMetrics, runService } from '../index.ts'

/** A process for the tests of runService; its first argument says how it behaves. */
const behaviour = process.argv[2] ?? 'orderly'
const log = createLog({ service: 'toy' })

async function start() {
  if (behaviour === 'cannot-start') throw new Error('no database')
  if (behaviour === 'slow-start') await new Promise(resolve => setTimeout(resolve, 300))
  const server = createServer().listen(0, '127.0.0.1')
  return {
    ready: async () => true as const,
    leave: () => log.info('leaving'),
    async stop() {
      log.info('draining')
      if (behaviour === 'slow-stop') await new Promise(resolve => setTimeout(resolve, 500))
      if (behaviour === 'hangs') await new Promise(() => {})
      if (behaviour === 'chatty') for (let line = 0; line < 5_000; line++) log.info({ line }, 'chat')
      if (behaviour !== 'leaves-open') server.close()
    },
  }
}

const isForced = behaviour === 'hangs' || behaviour === 'leaves-open'

await runService({
  name: 'toy',
  log,
  metrics: createMetrics('toy'),
  start,
  healthPort: 0,
  healthHost: '127.0.0.1',
  graceMs: behaviour === 'waits' ? 300 : 0,
  // Others may take as long as the machine needs.
  stopLimitMs: isForced ? 1_000 : 120_000,
})
if (behaviour === 'bursts') {
  for (let line = 1; line < 1_018; line++) log.info({ line, filling: 'x'.repeat(500) }, 'chat')
  log.info('last')
  // Far more than a pipe takes, with a remainder of some lines: the time after which they are written has passed.
  setTimeout(() => process.send?.('late'), 300)
}
if (behaviour === 'rejects') void Promise.reject(new Error('forgotten'))
