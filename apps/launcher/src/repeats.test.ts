import { afterEach, beforeEach, expect, test, jest } from '@jest/globals'
import { Repeats } from './repeats.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function aTerminal() {
  const lines: string[] = []
  const repeats = new Repeats(text => lines.push(text))
  const take = (message: string, reason = '') => repeats.take({ message, text: `${message}${reason}` })
  /** What was shown since the last time. */
  const shown = () => lines.splice(0)
  return { repeats, take, shown }
}

test('a message is shown once, and each minute how often it came since', () => {
  const { take, shown } = aTerminal()
  for (let at = 0; at < 500; at++) take('no bus', `: try ${at}`)
  take('another')
  expect(shown()).toEqual(['no bus: try 0', 'another'])
  jest.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['no bus: try 499 (499 more times)'])
  take('no bus')
  jest.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['no bus (1 more times)'])
})

test('a message that stayed away for a minute is new', () => {
  const { take, shown } = aTerminal()
  take('no bus')
  jest.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['no bus'])
  take('no bus')
  expect(shown()).toEqual(['no bus'])
})

test('what was held back is told at the end, and nothing after it', () => {
  const { repeats, take, shown } = aTerminal()
  take('no bus')
  take('no bus')
  repeats.end()
  expect(shown()).toEqual(['no bus', 'no bus (1 more times)'])
  expect(jest.getTimerCount()).toBe(0)
})

test('messages without end do not fill the memory', () => {
  const { take, shown } = aTerminal()
  for (let at = 0; at < 1_000; at++) take(`message ${at}`)
  expect(shown()).toHaveLength(1_000)
  expect(jest.getTimerCount()).toBe(100)
})
