import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@recto/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createCircuit, type Circuit } from './circuit.ts'
import { outageTimes, type OutageTimes } from './outage.rules.ts'

const times: OutageTimes = { ...outageTimes, patience: 30, probe: 60, probeEvery: 30, lastTry: 80 }
const circuits: Circuit[] = []
afterEach(async () => {
  for (const circuit of circuits.splice(0)) await circuit.stop()
})

/** The next results of probes, the last one for ever: an answer, none, or one that never comes. */
type Result = 'answers' | 'fails' | 'hangs'

function aCircuit(...results: Result[]) {
  const changes: boolean[] = []
  const state = { probes: 0, hasSites: true, results }
  const circuit = createCircuit({
    times,
    hasSites: () => state.hasSites,
    onChange: isOpen => void changes.push(isOpen),
    probe: async signal => {
      const result = state.results[Math.min(state.probes, state.results.length - 1)]
      state.probes += 1
      if (result === 'hangs') await delay(60_000, undefined, { signal })
      if (result === 'fails') throw new Error('no connection')
      return true
    },
  })
  circuits.push(circuit)
  return { circuit, changes, state }
}

const never = (signal: AbortSignal) => delay(60_000, 'late', { signal })

describe('an outage', () => {
  it.each<Result>(['fails', 'hangs'])('begins when two probes in a row end with: %s', async result => {
    const { circuit, changes, state } = aCircuit(result)
    const before = Date.now()
    circuit.suspect()
    await eventually(() => expect(changes).toEqual([true]))
    expect(state.probes).toBe(2)
    expect(circuit.since()).toBeGreaterThanOrEqual(before)
  })

  it('does not begin when the second probe is answered', async () => {
    const { circuit, changes, state } = aCircuit('fails', 'answers')
    circuit.suspect()
    await eventually(() => expect(state.probes).toBe(2))
    await delay(0)
    expect([changes, circuit.since()]).toEqual([[], undefined])
  })

  it('does not begin where nothing is kept', () => {
    const { circuit, state } = aCircuit('fails')
    state.hasSites = false
    circuit.suspect()
    expect(state.probes).toBe(0)
  })

  it('ends with the first probe that is answered', async () => {
    const { circuit, changes, state } = aCircuit('fails', 'fails', 'fails', 'hangs', 'answers')
    circuit.suspect()
    await eventually(() => expect(changes).toEqual([true, false]))
    expect([circuit.since(), state.probes]).toEqual([undefined, 5])
  })

  it('is suspected once by all who fail at the same time', () => {
    const { circuit, state } = aCircuit('hangs')
    for (let turn = 0; turn < 10; turn += 1) circuit.suspect()
    expect(state.probes).toBe(1)
  })
})

describe('a request', () => {
  it('is answered by the API', async () => {
    const { circuit, state } = aCircuit('answers')
    expect([await circuit.ask(async () => 'reply', { isKept: true }), state.probes]).toEqual(['reply', 0])
  })

  it('that waits is given up when an outage begins, where something else answers it', async () => {
    const { circuit, changes } = aCircuit('hangs')
    await expect(circuit.ask(never, { isKept: true })).rejects.toThrow()
    expect(changes).toEqual([true])
  })

  it('that waits goes on while probes are answered', async () => {
    const { circuit, state, changes } = aCircuit('answers')
    const reply = circuit.ask(signal => delay(300, 'slow', { signal }), { isKept: true })
    expect(await reply).toBe('slow')
    expect([state.probes > 0, changes]).toEqual([true, []])
  })

  it('that nothing else answers has a last try in an outage', async () => {
    const { circuit, changes } = aCircuit('fails')
    circuit.suspect()
    await eventually(() => expect(changes).toEqual([true]))
    expect(await circuit.ask(async () => 'reply', { isKept: false })).toBe('reply')
    const begun = performance.now()
    await expect(circuit.ask(never, { isKept: false })).rejects.toThrow()
    expect(performance.now() - begun).toBeGreaterThan(times.lastTry / 2)
  })
})

it('A circuit that stops waits for nothing', async () => {
  const { circuit, changes } = aCircuit('fails')
  circuit.suspect()
  await eventually(() => expect(changes).toEqual([true]))
  await circuit.stop()
})
