import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { watchStreams } from './terminal.ts'

it('A lost output is told once; one that its reader closed, and lost notes, are not', () => {
  const output = new PassThrough()
  const notes = new PassThrough()
  const messages: string[] = []
  watchStreams(output, notes, ({ message }) => messages.push(message))
  notes.emit('error', new Error('notes'))
  output.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))
  for (const message of ['full', 'still full'])
    output.emit('error', Object.assign(new Error(message), { code: 'ENOSPC' }))
  expect(messages).toEqual(['full'])
})
