import { expect, it } from '@jest/globals'
import { fileAnswer } from './kept-file.rules.ts'

const file = { size: 10, headers: { 'content-type': 'image/png', etag: '"a"' } }

it.each<[string, Record<string, string>, number, string | undefined, object | undefined]>([
  ['no condition', {}, 200, undefined, { start: 0, end: 9 }],
  ['its tag', { 'if-none-match': '"a"' }, 304, undefined, undefined],
  ['a weak form of its tag among others', { 'if-none-match': '"b", W/"a"' }, 304, undefined, undefined],
  ['any tag', { 'if-none-match': '*' }, 304, undefined, undefined],
  ['another tag', { 'if-none-match': '"b"' }, 200, undefined, { start: 0, end: 9 }],
  ['the first bytes', { range: 'bytes=0-3' }, 206, 'bytes 0-3/10', { start: 0, end: 3 }],
  ['bytes to the end', { range: 'bytes=4-' }, 206, 'bytes 4-9/10', { start: 4, end: 9 }],
  ['more bytes than there are', { range: 'bytes=4-99' }, 206, 'bytes 4-9/10', { start: 4, end: 9 }],
  ['the last bytes', { range: 'bytes=-4' }, 206, 'bytes 6-9/10', { start: 6, end: 9 }],
  ['more last bytes than there are', { range: 'bytes=-99' }, 206, 'bytes 0-9/10', { start: 0, end: 9 }],
  ['bytes behind the end', { range: 'bytes=10-' }, 416, 'bytes */10', undefined],
  ['no last bytes', { range: 'bytes=-0' }, 416, 'bytes */10', undefined],
  ['a range that is none', { range: 'bytes=4-2' }, 200, undefined, { start: 0, end: 9 }],
  ['several ranges', { range: 'bytes=0-1,4-5' }, 200, undefined, { start: 0, end: 9 }],
  ['a range of the same file', { range: 'bytes=0-3', 'if-range': '"a"' }, 206, 'bytes 0-3/10', { start: 0, end: 3 }],
  ['a range of another file', { range: 'bytes=0-3', 'if-range': '"b"' }, 200, undefined, { start: 0, end: 9 }],
])('a request with %s', (_title, conditions, status, range, part) => {
  const answer = fileAnswer(file, conditions)
  expect([answer.status, answer.headers['content-range'], answer.part]).toEqual([status, range, part])
})

it('an empty file is answered as a whole', () =>
  expect(fileAnswer({ size: 0, headers: {} }, {})).toMatchObject({ status: 200, headers: { 'content-length': '0' } }))
