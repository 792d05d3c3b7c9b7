import { expect, it } from '@jest/globals'
import { lastEvent } from './last-event.rules.ts'

it.each([
  ['', undefined],
  [': nothing\n\n', undefined],
  ['data: {"a":1}\n\n', { a: 1 }],
  ['data: {"a":1}\n\ndata: {"a":"x\\n\\ny"}\n\n', { a: 'x\n\ny' }],
])('The last event of %j is %j', (stream, event) => {
  expect(lastEvent(stream)).toEqual(event)
})
