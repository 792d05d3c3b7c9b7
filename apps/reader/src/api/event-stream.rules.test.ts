import { expect, it } from '@jest/globals'
import { takeEvents } from './event-stream.rules.ts'

it.each([
  ['', [], ''],
  [': nothing\n\n', [], ''],
  ['data: {"a":1}\n\n', [{ a: 1 }], ''],
  ['data: {"a":1}\n\ndata: {"a":"x\\n\\ny"}\n\n', [{ a: 1 }, { a: 'x\n\ny' }], ''],
  ['data: {"a":1}\n\ndata: {"a"', [{ a: 1 }], 'data: {"a"'],
  ['data: {"a":1}\n', [], 'data: {"a":1}\n'],
])('The text %j of a stream has the events %j, and %j is left', (text, events, rest) => {
  expect(takeEvents(text)).toEqual({ events, rest })
})
