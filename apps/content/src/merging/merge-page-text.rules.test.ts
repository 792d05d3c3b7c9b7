import { describe, expect, it } from '@jest/globals'
import { mergePageText } from './merge-page-text.rules.ts'

const file = (fields: string, body = '# Title\n') => (fields === '' ? body : `---\n${fields}---\n${body}`)

describe('The front matter of a page is merged by key', () => {
  it.each<[string, base: string, main: string, changeRequest: string, merged: string]>([
    ['where both sides add other keys', '', 'icon: leaf\n', 'if: beta\n', 'icon: leaf\nif: beta\n'],
    [
      'where both sides change adjacent lines',
      'description: A\nicon: leaf\n',
      'description: B\nicon: leaf\n',
      'description: A\nicon: tree\n',
      'description: B\nicon: tree\n',
    ],
    [
      'where a side removes a key',
      'description: A\nicon: leaf\n',
      'icon: leaf\n',
      'description: A\nicon: tree\n',
      'icon: tree\n',
    ],
    ['where both sides add the same key alike', '', 'icon: leaf\n', 'icon: leaf\n', 'icon: leaf\n'],
    [
      'with the comments and the order of main content',
      'a: 1\nb: 1\n',
      '# why\nb: 1 # main\na: 2\n',
      'a: 1 # change\nb: 2\n',
      '# why\nb: 2 # main\na: 2\n',
    ],
    [
      'with the comments of both sides where their lines are apart',
      'a: 1\nb: 1\nc: 1\n',
      'a: 2 # main\nb: 1\nc: 1\n',
      'a: 1\nb: 1\nc: 2 # change\n',
      'a: 2 # main\nb: 1\nc: 2 # change\n',
    ],
    [
      'and by whole values, of maps, too',
      'layout:\n  width: wide\nicon: a\n',
      'layout:\n  width: default\nicon: a\n',
      'layout:\n  width: wide\nicon: b\n',
      'layout:\n  width: default\nicon: b\n',
    ],
  ])('Front matter is merged by key %s', (_case, base, main, changeRequest, merged) => {
    const texts = { base: file(base), main: file(main), changeRequest: file(changeRequest) }
    expect(mergePageText(texts)).toEqual({ text: file(merged), isConflict: false, keyConflicts: [] })
  })

  it('Front matter is merged by key also when both sides change lines of the body', () => {
    const merged = mergePageText({
      base: file('icon: a\n', 'One\n\nTwo\n\nThree\n'),
      main: file('icon: b\n', 'One!\n\nTwo\n\nThree\n'),
      changeRequest: file('icon: a\nif: beta\n', 'One\n\nTwo\n\nThree!\n'),
    })
    expect(merged).toEqual({
      text: file('icon: b\nif: beta\n', 'One!\n\nTwo\n\nThree!\n'),
      isConflict: false,
      keyConflicts: [],
    })
  })

  it('Merged front matter has the values of main content for keys in conflict', () => {
    const texts = { base: file('icon: a\n'), main: file('icon: b\nx: 1\n'), changeRequest: file('icon: c\ny: 2\n') }
    expect(mergePageText(texts)).toEqual({
      text: file('icon: b\nx: 1\ny: 2\n'),
      isConflict: false,
      keyConflicts: [{ key: 'icon', values: { base: 'a', main: 'b', changeRequest: 'c' } }],
    })
  })

  it('Merged front matter has the line endings and the byte order mark of main content', () => {
    const crlf = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
    const merged = mergePageText({
      base: crlf(file('icon: a\nx: 1\n', 'One\n')),
      main: crlf(file('icon: b\nx: 1\n', 'One\n')),
      changeRequest: crlf(file('icon: a\nx: 2\n', 'Two\n')),
    })
    expect(merged).toEqual({ text: crlf(file('icon: b\nx: 2\n', 'Two\n')), isConflict: false, keyConflicts: [] })
  })

  it('The body of the chosen side stands below merged front matter', () => {
    const texts = { base: file('a: 1\n', 'x'), main: file('a: 2\n', 'y'), changeRequest: file('a: 1\nb: 1\n', 'z') }
    expect(mergePageText(texts).isConflict).toBe(true)
    expect(mergePageText(texts, { body: 'main' }).text).toBe(file('a: 2\nb: 1\n', 'y'))
    expect(mergePageText(texts, { body: 'changeRequest' }).text).toBe(file('a: 2\nb: 1\n', 'z'))
  })

  it('A page whose front matter cannot be read on one side is merged by line', () => {
    const texts = { base: file('a: 1\n'), main: file('a: [\n'), changeRequest: file('a: 2\n') }
    expect(mergePageText(texts)).toMatchObject({ isConflict: true, keyConflicts: [] })
    expect(mergePageText(texts, { body: 'changeRequest' }).text).toBe(texts.changeRequest)
  })
})
