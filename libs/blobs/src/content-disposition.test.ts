import { describe, expect, test } from '@jest/globals'
import { contentDisposition } from './index.ts'

describe('the disposition by type', () => {
  const inlineTypes = [
    'image/png',
    'IMAGE/PNG',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'application/pdf',
    'audio/mpeg',
    'video/mp4',
    'text/plain; charset=utf-8',
  ]
  test.each(inlineTypes)('%s is inline', type => expect(contentDisposition('a', type)).toBe('inline; filename=a'))

  const saved = [
    'image/svg+xml',
    'text/html',
    'application/xhtml+xml',
    'text/xml',
    'application/octet-stream',
    'text/javascript',
    '',
    'image/png,text/html',
    'video/',
    'text/plainx',
  ]
  test.each(saved)('%s is an attachment', type => expect(contentDisposition('a', type)).toBe('attachment; filename=a'))
})

describe('the name', () => {
  const cases: [string, string][] = [
    ['in_tail (2).gif', 'filename="in_tail (2).gif"'],
    ['a;b=c,d.txt', 'filename="a;b=c,d.txt"'],
    ['say "hi".txt', `filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
    ["it's 100%.txt", `filename="it's 100_.txt"; filename*=UTF-8''it%27s%20100%25.txt`],
    ['a\\b.txt', `filename=a_b.txt; filename*=UTF-8''a%5Cb.txt`],
    ['../x.txt', `filename=.._x.txt; filename*=UTF-8''..%2Fx.txt`],
    ['a\r\nSet-Cookie: x', `filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
    ['über.txt', `filename=_ber.txt; filename*=UTF-8''%C3%BCber.txt`],
    ['文件.txt', `filename=__.txt; filename*=UTF-8''%E6%96%87%E4%BB%B6.txt`],
    ['a\u202etxt.exe', `filename=a_txt.exe; filename*=UTF-8''a%E2%80%AEtxt.exe`],
    ['😀', `filename=_; filename*=UTF-8''%F0%9F%98%80`],
    ['\ud800', `filename=_; filename*=UTF-8''%EF%BF%BD`],
  ]
  test.each(cases)('%j is %s', (name, expected) =>
    expect(contentDisposition(name, 'x/y')).toBe(`attachment; ${expected}`),
  )
  test('may be missing', () => expect(contentDisposition('', 'image/png')).toBe('inline'))
})
