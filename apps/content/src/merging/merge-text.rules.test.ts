import { describe, expect, test } from '@jest/globals'
import { mergeText } from './merge-text.rules.ts'

const five = 'one\ntwo\nthree\nfour\nfive\n'

/** Base, main, change request, and the merged text. */
const clean: [name: string, base: string, main: string, changeRequest: string, text: string][] = [
  ['only main', five, five.replace('one', 'ONE'), five, five.replace('one', 'ONE')],
  ['only the change request', five, five, five.replace('one', 'ONE'), five.replace('one', 'ONE')],
  ['both the same', five, five.replace('two', '2'), five.replace('two', '2'), five.replace('two', '2')],
  ['lines apart', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  [
    'a line apart',
    five,
    'ONE\ntwo\nthree\nfour\nfive\n',
    'one\ntwo\nTHREE\nfour\nfive\n',
    'ONE\ntwo\nTHREE\nfour\nfive\n',
  ],
  ['insertions apart', 'a\nb\n', 'x\na\nb\n', 'a\nb\ny\n', 'x\na\nb\ny\n'],
  ['deletions apart', five, 'two\nthree\nfour\nfive\n', 'one\ntwo\nthree\nfour\n', 'two\nthree\nfour\n'],
  ['the same and more', five, '1\ntwo\nthree\nfour\n5\n', '1\ntwo\n3\nfour\nfive\n', '1\ntwo\n3\nfour\n5\n'],
  ['both the same insertion', 'a\nb\n', 'a\nx\nb\n', 'a\nx\nb\n', 'a\nx\nb\n'],
  ['CRLF in all', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
  ['main converts to CRLF', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n', 'a\nb\nC\n', 'a\r\nb\r\nC\r\n'],
  ['the change request converts to LF and edits', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  ['mixed endings, each with its line', 'a\r\nb\nc\n', 'A\r\nb\nc\n', 'a\r\nb\nC\r\n', 'A\r\nb\nC\r\n'],
  ['no end of the last line', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['main ends the last line', 'a\nb\nc', 'a\nb\nc\n', 'A\nb\nc', 'A\nb\nc\n'],
  ['the end of a last line that the other side edits', 'a\nb', 'a\nb\n', 'a\nB', 'a\nB\n'],
  ['a byte order mark in all', '\uFEFFa\nb\nc\n', '\uFEFFA\nb\nc\n', '\uFEFFa\nb\nC\n', '\uFEFFA\nb\nC\n'],
  ['a side removes the byte order mark', '\uFEFFa\nb\nc\n', 'a\nb\nc\n', '\uFEFFA\nb\nc\n', 'A\nb\nc\n'],
  ['one line without end against CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nb\r\nc', 'A\r\nb\r\nc\r\n', 'A\r\nb\r\nc'],
  [
    'names of object members',
    'constructor\nx\n__proto__\n',
    'constructor\nx\n__proto__!\n',
    'Constructor\nx\n__proto__\n',
    'Constructor\nx\n__proto__!\n',
  ],
]

/** Base, main, change request, and what stands in conflict. */
const conflicts: [name: string, base: string, main: string, changeRequest: string, text: string][] = [
  [
    'the same line',
    'a\nb\nc\n',
    'a\n1\nc\n',
    'a\n2\nc\n',
    'a\n<<<<<<< main\n1\n=======\n2\n>>>>>>> change-request\nc\n',
  ],
  ['adjacent lines', 'a\nb\n', 'A\nb\n', 'a\nB\n', '<<<<<<< main\nA\nb\n=======\na\nB\n>>>>>>> change-request\n'],
  ['insertions at one place', 'a\n', 'a\nx\n', 'a\ny\n', 'a\n<<<<<<< main\nx\n=======\ny\n>>>>>>> change-request\n'],
  [
    'deletion against edit',
    'a\nb\nc\n',
    'a\nc\n',
    'a\nB\nc\n',
    'a\n<<<<<<< main\n=======\nB\n>>>>>>> change-request\nc\n',
  ],
  ['two first texts', '', 'x\n', 'y\n', '<<<<<<< main\nx\n=======\ny\n>>>>>>> change-request\n'],
  [
    'CRLF',
    'a\r\nb\r\n',
    'a\r\n1\r\n',
    'a\r\n2\r\n',
    'a\r\n<<<<<<< main\r\n1\r\n=======\r\n2\r\n>>>>>>> change-request\r\n',
  ],
]

describe('two edits of a text', () => {
  test.each(clean)('merge: %s', (_name, base, main, changeRequest, text) => {
    expect(mergeText({ base, main, changeRequest })).toEqual({ text, isConflict: false })
    expect(mergeText({ base, main: changeRequest, changeRequest: main })).toEqual({ text, isConflict: false })
  })

  test.each(conflicts)('conflict: %s', (_name, base, main, changeRequest, text) => {
    expect(mergeText({ base, main, changeRequest })).toEqual({ text, isConflict: true })
    expect(mergeText({ base, main: changeRequest, changeRequest: main }).isConflict).toBe(true)
  })

  test.each([
    ['blank lines', () => ''],
    ['lines that repeat', (at: number) => `${at % 7}`],
    ['distinct lines', (at: number) => `line ${at}`],
  ])('merge in linear time in a megabyte of %s', (_name, line) => {
    const lines = Array.from({ length: 300_000 }, (_, at) => line(at))
    const edited = (from: number) => lines.map((each, at) => (at >= from && at < from + 3 ? `edited ${at}` : each))
    const both = lines.map((each, at) =>
      (at >= 10 && at < 13) || (at >= 299_000 && at < 299_003) ? `edited ${at}` : each,
    )
    const [base, main, changeRequest] = [lines, edited(10), edited(299_000)].map(all => all.join('\n'))
    const started = performance.now()
    const { text, isConflict } = mergeText({ base: base ?? '', main: main ?? '', changeRequest: changeRequest ?? '' })
    expect([isConflict, text === both.join('\n')]).toEqual([false, true])
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('merge in seconds where thousands of parts differ in each text', () => {
    const scrambled = (at: number, side: number) => (Math.imul(at + side, 0x9e3779b1 + side * 2) >>> 27) % 2
    const lineOf = (at: number, side: number) => (at % 200 === 0 ? `part ${at}` : `${scrambled(at, side)}`)
    const of = (side: number) => Array.from({ length: 800_000 }, (_, at) => lineOf(at, side)).join('\n')
    const started = performance.now()
    expect(mergeText({ base: of(1), main: of(2), changeRequest: of(3) }).isConflict).toBe(true)
    expect(performance.now() - started).toBeLessThan(6_000)
  })
})
