import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './index.ts'

interface Tasks {
  double(input: { number: number }): number
  fail(input: { message: string }): never
  spin(input: null): never
  fill(input: null): never
  nest(input: { depth: number }): number
  environment(input: null): string[]
  ask(input: { port: MessagePort }): Promise<string>
}

const file = fileURLToPath(new URL('./test/tasks.mjs', import.meta.url))
const open: WorkerPool<Tasks>[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map(pool => pool.close()))))

function aPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool<Tasks> {
  const pool = createWorkerPool<Tasks>({ file, threads: 1, timeoutMs: 10_000, memoryMb: 32, ...options })
  open.push(pool)
  return pool
}

describe('a pool', () => {
  it('runs named functions, more of them than it has threads', async () => {
    const pool = aPool({ file: () => file, threads: 2 })
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    expect(await Promise.all(numbers.map(number => pool.run('double', { number })))).toEqual(numbers.map(n => n * 2))
  })

  it('passes on what a task throws', () =>
    expect(aPool().run('fail', { message: 'no such thing' })).rejects.toThrow('no such thing'))

  it('shows no environment variables to a task', async () => expect(await aPool().run('environment', null)).toEqual([]))

  it('hands a port over to a task, which asks for what it needs', async () => {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', question => port1.postMessage(`${question}!`))
    expect(await aPool().run('ask', { port: port2 }, { transfer: [port2] })).toBe('what!')
    port1.close()
  })

  it.each([
    ['spins for ever', 'spin', null, { timeoutMs: 200 }, 'timeout'],
    ['fills the memory', 'fill', null, {}, 'memory'],
    ['nests without end', 'nest', { depth: 1e9 }, {}, 'depth'],
  ] as const)('ends a task that %s, and runs the next', async (_title, name, input, options, reason) => {
    const pool = aPool(options)
    const bad = pool.run(name, input as never)
    const good = pool.run('double', { number: 2 }, { timeoutMs: 10_000 })
    await expect(bad).rejects.toMatchObject({ name: 'WorkerFailure', reason })
    expect(await good).toBe(4)
  })

  it('counts the time of a task from the moment at which its thread has loaded the module', async () => {
    const slow = fileURLToPath(new URL('./test/slow-tasks.mjs', import.meta.url))
    const pool = aPool({ file: slow, timeoutMs: 1_000 })
    expect(await pool.run('double', { number: 2 })).toBe(4)
    await expect(pool.run('spin', null)).rejects.toMatchObject({ reason: 'timeout' })
    await expect(pool.run('spin', null)).rejects.toMatchObject({ reason: 'timeout' })
    expect(await pool.run('double', { number: 3 })).toBe(6)
  })

  it('nests deeper with a larger stack', async () =>
    expect(await aPool({ stackMb: 64 }).run('nest', { depth: 100_000 })).toBe(100_000))

  it('ends a task, running or waiting, when its signal says so', async () => {
    const pool = aPool()
    const stop = new AbortController()
    const running = pool.run('spin', null, { signal: stop.signal })
    const waiting = pool.run('double', { number: 1 }, { signal: stop.signal })
    stop.abort(new Error('not needed any more'))
    await expect(running).rejects.toThrow('not needed any more')
    await expect(waiting).rejects.toThrow('not needed any more')
    expect(await pool.run('double', { number: 3 })).toBe(6)
  })

  it('that is closed ends its tasks and takes no more', async () => {
    const pool = aPool()
    await pool.run('double', { number: 1 })
    const running = expect(pool.run('spin', null)).rejects.toMatchObject({ reason: 'closed' })
    await pool.close()
    await running
    await expect(pool.run('double', { number: 1 })).rejects.toMatchObject({ reason: 'closed' })
  })
})
