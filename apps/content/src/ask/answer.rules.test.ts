import { describe, expect, it } from '@jest/globals'
import { readQuestions, readReply } from './answer.rules.ts'

const mark = 'abcdefghij'
const read = (reply: string) => readReply(reply, { mark, sections: 3 })

describe('A reply', () => {
  it.each<[string, string, number[]]>([
    ['One [1]. Two [3, 2].', 'One. Two.', [0, 1, 2]],
    ['One [[1]] [4] [0] [99]', 'One', [0]],
    ['A [link](x) and [1](y)', 'A [link](x) and [1](y)', []],
    ['`a[1]` [2]', '`a[1]`', [1]],
    ['```js\na[1]\n```\n[2]', '```js\na[1]\n```', [1]],
    ['```js\na[1]', '```js\na[1]', []],
    [`All of ${mark}`, 'All of', []],
    ['', '', []],
  ])('%j has the text %j and names the sections %j', (reply, markdown, citations) => {
    expect(read(reply)).toEqual({ markdown, citations, questions: [] })
  })

  it('has questions below its mark', () => {
    expect(read(`A [1].\n\nQUESTIONS ${mark}\n- One?\n2. Two?\n\nOne?\n* Three?\nFour?`)).toEqual({
      markdown: 'A.',
      citations: [0],
      questions: ['One?', 'Two?', 'Three?'],
    })
  })

  it.each(['Q', 'QUEST', 'QUESTIONS abc', `QUESTIONS ${mark}`])(
    'that is still coming does not show the line that ends it: %j',
    end => {
      expect(read(`Text.\n${end}`).markdown).toBe('Text.')
    },
  )
})

it('A question that is too long is none', () => {
  expect(readQuestions(`${'x'.repeat(201)}\nShort?`, 3)).toEqual(['Short?'])
})
