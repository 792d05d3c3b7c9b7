import { afterEach, beforeEach, expect, test, jest } from '@jest/globals'
import { WarningThrottle } from './warning-throttle.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function aTerminal() {
  const lines: string[] = []
  const repeats = new WarningThrottle(text => lines.push(text))
  const take = (message: string, reason = '') => repeats.add({ message, text: `${message}${reason}` })
  /** The output since the last call. */
  const takeLines = () => lines.splice(0)
  return { repeats, take, takeLines }
}

test('prints a message once, and each minute how often it was repeated', () => {
  const { take, takeLines } = aTerminal()
  for (let at = 0; at < 500; at++) take('no bus', `: try ${at}`)
  take('another')
  expect(takeLines()).toEqual(['no bus: try 0', 'another'])
  jest.advanceTimersByTime(60_000)
  expect(takeLines()).toEqual(['no bus: try 499 (499 more times)'])
  take('no bus')
  jest.advanceTimersByTime(60_000)
  expect(takeLines()).toEqual(['no bus (1 more times)'])
})

test('prints a message again after a minute without repetition', () => {
  const { take, takeLines } = aTerminal()
  take('no bus')
  jest.advanceTimersByTime(60_000)
  expect(takeLines()).toEqual(['no bus'])
  take('no bus')
  expect(takeLines()).toEqual(['no bus'])
})

test('flush prints the remaining repetitions and stops the timers', () => {
  const { repeats, take, takeLines } = aTerminal()
  take('no bus')
  take('no bus')
  repeats.flush()
  expect(takeLines()).toEqual(['no bus', 'no bus (1 more times)'])
  expect(jest.getTimerCount()).toBe(0)
})

test('tracks a limited number of messages', () => {
  const { take, takeLines } = aTerminal()
  for (let at = 0; at < 1_000; at++) take(`message ${at}`)
  expect(takeLines()).toHaveLength(1_000)
  expect(jest.getTimerCount()).toBe(100)
})
