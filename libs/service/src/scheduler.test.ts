import { describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { startScheduler } from './scheduler.ts'

function aLog() {
  const warnings: object[] = []
  return { warnings, warn: (details: object) => void warnings.push(details) }
}

describe('periodic work', () => {
  it('runs at once and again after each run, never twice at a time', async () => {
    const seen = { runs: 0, atOnce: 0, most: 0 }
    const run = async () => {
      seen.runs += 1
      seen.most = Math.max(seen.most, (seen.atOnce += 1))
      await new Promise(resolve => setImmediate(resolve))
      seen.atOnce -= 1
    }
    const scheduler = startScheduler([{ name: 'count', every: 1, run }], aLog())
    expect(seen.runs).toBe(1)
    await eventually(() => expect(seen.runs).toBeGreaterThan(3))
    await scheduler.stop()
    expect(seen.most).toBe(1)
  })

  it('continues after a failed run, which it logs', async () => {
    const log = aLog()
    let runs = 0
    const run = async () => {
      runs += 1
      if (runs === 1) throw new Error('the database is away')
    }
    const scheduler = startScheduler([{ name: 'clean', every: 1, run }], log)
    await eventually(() => expect(runs).toBeGreaterThan(1))
    await scheduler.stop()
    expect(log.warnings).toEqual([{ err: new Error('the database is away'), work: 'clean' }])
  })

  it('may set the delay until its next run', async () => {
    let runs = 0
    const run = async () => ((runs += 1), 1)
    const scheduler = startScheduler([{ name: 'purge', every: 3_600_000, run }], aLog())
    await eventually(() => expect(runs).toBeGreaterThan(2))
    await scheduler.stop()
  })

  it('stops after its current run, which receives the abort signal, and does not run again', async () => {
    const order: string[] = []
    const run = async (signal: AbortSignal) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      order.push('run ended')
    }
    const scheduler = startScheduler([{ name: 'wait', every: 1, run }], aLog())
    await scheduler.stop()
    order.push('stopped')
    expect(order).toEqual(['run ended', 'stopped'])
  })
})
