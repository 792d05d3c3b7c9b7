import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio, StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { bundled } from './test/bundle.ts'

let program: string
const running: ChildProcess[] = []

beforeAll(async () => {
  program = await bundled('toy-service')
})
afterEach(() => running.splice(0).forEach(child => child.kill('SIGKILL')))

interface Line {
  msg: string
  level: string
  [field: string]: unknown
}

function start([command = '', ...args]: string[]): ChildProcessByStdio<null, Readable, null> {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc']
  const child = spawn(command, args, { stdio }) as ChildProcessByStdio<null, Readable, null>
  running.push(child)
  return child
}

/** A toy process; `before` is a command that runs it. */
function toy(behaviour: string, before: string[] = []) {
  const child = start([...before, process.execPath, program, behaviour])
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  const output = createInterface({ input: child.stdout }).on('line', text => {
    lines.push(JSON.parse(text))
    waiting.forEach(wake => wake())
  })
  const said = (msg: string) =>
    new Promise<Line>(resolve => {
      const look = () => {
        const line = lines.find(each => each.msg === msg)
        if (line) resolve(line)
      }
      waiting.add(look)
      look()
    })
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]).then(([[code, signal]]) => ({ code, signal }))
  const get = async (route: string) => {
    const { healthPort } = await said('health routes are served')
    const answer = await fetch(`http://127.0.0.1:${healthPort}${route}`)
    return { status: answer.status, text: (await answer.text()).trim() }
  }
  const readyz = () => get('/readyz')
  const readyMetric = async () => /^process_ready\{.*\} (\d)$/m.exec((await get('/metrics')).text)?.[1]
  return { child, lines, said, ended, readyz, readyMetric, messages: () => lines.map(line => line.msg) }
}

describe('a service process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('ends with code 0 on %s after draining', async signal => {
    const { child, said, ended, messages } = toy('orderly')
    await said('started')
    child.kill(signal)
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(messages().slice(-4)).toEqual(['stopping', 'leaving', 'draining', 'stopped'])
  })

  test('is not ready and leaves during the grace, and drains after it', async () => {
    const { child, said, ended, readyz, messages } = toy('waits')
    await said('started')
    child.kill('SIGTERM')
    await said('leaving')
    expect(await readyz()).toEqual({ status: 503, text: 'stopping' })
    expect(messages()).not.toContain('draining')
    expect((await ended).code).toBe(0)
    expect(messages().slice(-4)).toEqual(['stopping', 'leaving', 'draining', 'stopped'])
  })

  test('is ready once started and not ready while it drains', async () => {
    const { child, said, ended, readyz, readyMetric } = toy('slow-stop')
    await said('started')
    expect(await readyz()).toEqual({ status: 200, text: 'ready' })
    expect(await readyMetric()).toBe('1')
    child.kill('SIGTERM')
    await said('draining')
    expect(await readyz()).toEqual({ status: 503, text: 'stopping the service' })
    expect(await readyMetric()).toBe('0')
    expect((await ended).code).toBe(0)
  })

  test('ignores a second signal', async () => {
    const { child, said, ended, messages } = toy('slow-stop')
    await said('started')
    child.kill('SIGTERM')
    await said('draining')
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(messages().filter(msg => msg === 'draining')).toHaveLength(1)
  })

  test('stops when its parent process has exited', async () => {
    const { child, said, ended } = toy('orderly')
    await said('started')
    child.disconnect()
    expect((await said('stopping')).reason).toBe('the parent process is gone')
    expect((await ended).code).toBe(0)
  })

  test('exits when its parent process was killed, which read its output', async () => {
    const { child, said } = toy('orderly')
    await said('started')
    child.stdout.destroy()
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('writes all lines of a burst, also those that came while nobody read its output', async () => {
    const child = start([process.execPath, program, 'bursts'])
    await once(child, 'message')
    const output = createInterface({ input: child.stdout })
    for await (const text of output) if (JSON.parse(text).msg === 'last') break
    expect(child.exitCode).toBeNull()
  })

  test('that receives a stop signal during its start completes the start and then stops', async () => {
    const { child, said, ended, readyz, messages } = toy('slow-start')
    expect(await readyz()).toEqual({ status: 503, text: 'starting' })
    child.kill('SIGTERM')
    await said('stopped')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(messages()).toContain('draining')
  })

  test.each([
    ['cannot-start', 'no database'],
    ['rejects', 'forgotten'],
  ])('that %s logs the reason and exits with code 1', async (behaviour, message) => {
    const { said, ended } = toy(behaviour)
    expect(await said('unhandled error')).toMatchObject({ level: 'fatal', err: { message } })
    expect(await ended).toEqual({ code: 1, signal: null })
  })

  test.each([
    ['hangs', 'stopping the service'],
    ['leaves-open', 'stopped'],
  ])('that %s is forced to exit and logs the open handles', async (behaviour, phase) => {
    const { child, said, ended } = toy(behaviour)
    await said('started')
    child.kill('SIGTERM')
    expect(await said('stop takes too long: ending by force')).toMatchObject({
      phase,
      open: expect.arrayContaining(['TCPServerWrap']),
    })
    expect((await ended).signal).toBe('SIGKILL')
  })

  test('that hangs as the first process of a container, which no signal of its own kills, is forced to exit', async () => {
    const isolated = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
    const { error, status } = spawnSync('unshare', [...isolated, 'true'])
    if (error ?? status)
      return console.warn('unshare is not there or refused: the first process of a container was not tried')
    const { child, said, ended } = toy('hangs', ['unshare', ...isolated])
    await said('started')
    child.disconnect()
    expect(await said('stop takes too long: ending by force')).toMatchObject({ pid: 1 })
    expect(await ended).toEqual({ code: 1, signal: null })
  })

  test('loses no log line on an orderly stop', async () => {
    const { child, said, ended, lines } = toy('chatty')
    await said('started')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(lines.filter(line => line.msg === 'chat')).toHaveLength(5_000)
  })
})
