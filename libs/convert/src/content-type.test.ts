import { describe, expect, it } from '@jest/globals'
import { aZip } from '@recto/testing'
import { decodeText, detectContentType, dimensionsOf } from './content-type.ts'
import { pixel } from './test/tools.ts'

describe('the type of a file is what its bytes say', () => {
  it.each([
    ['a.png', pixel, 'image/png'],
    ['a.html', pixel, 'image/png'],
    ['a.png', '<!doctype html><p>x', 'text/html'],
    ['a.png', '<!-- x --><script>x()</script>', 'text/html'],
    ['a.png', '<?xml version="1.0"?>\n<!-- x --><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['a.txt', '<svg onload="x()">', 'image/svg+xml'],
    ['a.json', '{}', 'application/json'],
    ['a.md', '# A', 'text/markdown'],
    ['a.csv', 'a;b', 'text/csv'],
    ['a.html', 'plain', 'text/plain'],
    ['a.js', 'let a', 'text/plain'],
    ['a.pdf', '%PDF-1.7\n%\xe2\xe3', 'application/pdf'],
    ['a.zip', aZip({ a: 'b' }), 'application/zip'],
    ['a.png', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
    ['a.txt', 'Größe 日本', 'text/plain'],
    ['a.txt', '', 'text/plain'],
  ])('%s %#', async (name, bytes, type) => {
    const head = typeof bytes === 'string' ? Buffer.from(bytes, type === 'application/pdf' ? 'latin1' : 'utf8') : bytes
    expect(await detectContentType(head, name)).toBe(type)
  })
})

it('the size of an image is known, of anything else not', () => {
  expect(dimensionsOf(pixel, 'image/png')).toEqual({ width: 1, height: 1 })
  expect(dimensionsOf(Buffer.from('<svg width="12" height="7"/>'), 'image/svg+xml')).toEqual({ width: 12, height: 7 })
  expect(dimensionsOf(Buffer.from('broken'), 'image/png')).toBeUndefined()
  expect(dimensionsOf(pixel, 'text/plain')).toBeUndefined()
})

it.each([
  ['the media type', Buffer.from('\xfc', 'latin1'), 'text/html; charset=iso-8859-1'],
  ['the page', Buffer.from('<meta charset="windows-1252">\xfc', 'latin1'), 'text/html'],
  ['a byte order mark', Buffer.from('\ufeffü', 'utf16le'), ''],
  ['UTF-8', Buffer.from('ü'), 'text/html; charset=nonsense'],
])('text is decoded by %s', (_by, bytes, type) => expect(decodeText(bytes, type)).toMatch(/ü$/))
