import { leastCpuTime } from '@recto/testing'
import { describe, expect, test } from '@jest/globals'
import { mergeText } from './merge-text.rules.ts'

/** The factor by which the large text of a comparison is longer, and the ratio of times below which merging is linear. */
const growth = 8
const maxRatio = 30

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

/** Base, main, change request, and the text of the conflict. */
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
  test.each(clean)('Two edits of a text merge: %s', (_name, base, main, changeRequest, text) => {
    expect(mergeText({ base, main, changeRequest })).toEqual({ text, isConflict: false })
    expect(mergeText({ base, main: changeRequest, changeRequest: main })).toEqual({ text, isConflict: false })
  })

  test.each(conflicts)('Two edits of a text conflict: %s', (_name, base, main, changeRequest, text) => {
    expect(mergeText({ base, main, changeRequest })).toEqual({ text, isConflict: true })
    expect(mergeText({ base, main: changeRequest, changeRequest: main }).isConflict).toBe(true)
  })

  test.each([
    ['blank lines', () => ''],
    ['lines that repeat', (at: number) => `${at % 7}`],
    ['distinct lines', (at: number) => `line ${at}`],
  ])('Two edits of a text merge in linear time in a megabyte of %s', (_name, line) => {
    const timeOf = (length: number) => {
      const lines = Array.from({ length }, (_, at) => line(at))
      const last = length - 1_000
      const edited = (...starts: number[]) =>
        lines
          .map((each, at) => (starts.some(start => at >= start && at < start + 3) ? `edited ${at}` : each))
          .join('\n')
      const sides = { base: lines.join('\n'), main: edited(10), changeRequest: edited(last) }
      expect(mergeText(sides)).toMatchObject({ isConflict: false, text: edited(10, last) })
      return leastCpuTime(() => mergeText(sides))
    }
    expect(timeOf(300_000) / timeOf(300_000 / growth)).toBeLessThan(maxRatio)
  })

  test('Two edits of a text merge in linear time where thousands of parts differ in each text', () => {
    const scrambled = (at: number, side: number) => (Math.imul(at + side, 0x9e3779b1 + side * 2) >>> 27) % 2
    const lineOf = (at: number, side: number) => (at % 200 === 0 ? `part ${at}` : `${scrambled(at, side)}`)
    const timeOf = (length: number) => {
      const textOf = (side: number) => Array.from({ length }, (_, at) => lineOf(at, side)).join('\n')
      const sides = { base: textOf(1), main: textOf(2), changeRequest: textOf(3) }
      expect(mergeText(sides).isConflict).toBe(true)
      return leastCpuTime(() => mergeText(sides))
    }
    expect(timeOf(400_000) / timeOf(400_000 / growth)).toBeLessThan(maxRatio)
  })
})
