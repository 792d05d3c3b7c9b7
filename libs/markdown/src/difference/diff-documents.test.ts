import { describe, expect, it } from '@jest/globals'
import { applyDifference, diffDocuments, invertDifference } from '../index.ts'
import { DocumentDifference, type JSONDocument } from '../schema.ts'
import { read } from '../test/round-trip.ts'
import { shortForm } from './test/short-form.ts'

const withoutKeys = (document: JSONDocument): unknown =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'key' ? undefined : value)))

const table = (...rows: string[]) => ['| Name | Port |', '| --- | --- |', ...rows].join('\n')
const long = 'A block of some words that is moved'

/** Two texts, and the steps from the first to the second. */
const cases: [title: string, before: string, after: string, steps: unknown[]][] = [
  ['equal documents', '# A\n\nb', '# A\n\nb', []],
  ['an inserted block', 'a\n\nc', 'a\n\nb\n\nc', [1, '+b', 1]],
  ['a deleted block', 'a\n\nb\n\nc', 'a\n\nc', [1, '-b', 1]],
  ['a block instead of another', 'one two', 'three four', ['-one two', '+three four']],
  ['a word in a paragraph', 'Read this first.', 'Read that first.', [['~paragraph', 'Read {-this}{+that} first.']]],
  [
    'words side by side as one',
    'the red old house stands here today',
    'the blue new house stands here today',
    [['~paragraph', 'the {-red old}{+blue new} house stands here today']],
  ],
  [
    'words of scripts without spaces',
    '我喜欢红色的苹果和香蕉',
    '我喜欢绿色的苹果和香蕉',
    [['~paragraph', '我喜欢{-红色}{+绿色}的苹果和香蕉']],
  ],
  ['Arabic words', 'اقرأ هذا الدليل أولا', 'اقرأ ذلك الدليل أولا', [['~paragraph', 'اقرأ {-هذا}{+ذلك} الدليل أولا']]],
  ['the format of a word', 'one two three', 'one **two** three', [['~paragraph', 'one {-two}{+two} three']]],
  [
    'the target of a link',
    'See [the manual](a.md) for it.',
    'See [the manual](b.md) for it.',
    [['~paragraph', 'See {~link data.ref the manual} for it.']],
  ],
  [
    'the words of a link',
    'See [the old manual](a.md) for it.',
    'See [the new manual](a.md) for it.',
    [['~paragraph', 'See {~link  the {-old}{+new} manual} for it.']],
  ],
  [
    'a paragraph that becomes a heading',
    'Some words here',
    '## Some words here',
    [
      [
        '~heading-1',
        'type: paragraph → heading-1',
        'meta: undefined → {}',
        'meta.id: undefined → some-words-here',
        'Some words here',
      ],
    ],
  ],
  [
    'an item of a list',
    '* one thing\n* two things\n* three things',
    '* one thing\n* three things',
    [['~list-unordered', [1, '-two things', 1]]],
  ],
  [
    'a list that gets numbers',
    '* one thing\n* two things',
    '1. one thing\n2. two things',
    [['~list-ordered', 'type: list-unordered → list-ordered', 'data.start: undefined → 1', [2]]],
  ],
  [
    'a task that is done',
    '* [ ] one thing',
    '* [x] one thing',
    [['~list-tasks', [['~list-item', 'data.checked: false → true', [1]]]]],
  ],
  [
    'the style of a hint, and a word in it',
    '{% hint style="info" %}\nBe very careful.\n{% endhint %}',
    '{% hint style="danger" %}\nBe extremely careful.\n{% endhint %}',
    [['~hint', 'data.style: info → danger', [['~paragraph', 'Be {-very}{+extremely} careful.']]]],
  ],
  [
    'a line of code',
    '```js\nconst a = 1\nconst b = 2\n```',
    '```js\nconst a = 1\nconst b = 3\n```',
    [['~code', [1, ['~code-line', 'const b = {-2}{+3}']]]],
  ],
  [
    'the title of what can be opened',
    '<details>\n\n<summary>The old title</summary>\n\nb\n\n</details>',
    '<details>\n\n<summary>The new title</summary>\n\nb\n\n</details>',
    [
      [
        '~expandable',
        'meta.id: the-old-title → the-new-title',
        ['~expandable-title', [['~paragraph', 'The {-old}{+new} title']]],
        1,
      ],
    ],
  ],
  [
    'a row of a table',
    table('| web | 80 |', '| mail | 25 |'),
    table('| web | 80 |', '| files | 21 |', '| mail | 25 |'),
    [['~table', ['equal'], [1, '+files 21', 1]]],
  ],
  [
    'a cell of a table',
    table('| web | 80 |', '| mail server | 25 |'),
    table('| web | 80 |', '| mail server | 587 |'),
    [['~table', ['equal'], [1, [['-25', '+587']]]]],
  ],
  [
    'a column of a table',
    '| A | B |\n| - | - |\n| one | two |',
    '| A | C | B |\n| - | - | - |\n| one | new | two |',
    [['~table', expect.stringContaining('data.view'), ['equal', 'insert', 'equal'], [[['+new']]]]],
  ],
  ['a block that is moved', `${long}\n\na\n\nb`, `a\n\nb\n\n${long}`, [`-#1 ${long}`, 2, `+#1 ${long}`]],
  ['short blocks, which are not moved', 'x\n\na\n\nb', 'a\n\nb\n\nx', ['-x', 2, '+x']],
  ['an image', '![a](a.png)', '![a](b.png)', [['~images', [['~image', expect.stringContaining('data.ref')]]]]],
]

describe('the difference of two documents', () => {
  it.each(cases)('The difference says %s', (_title, before, after, steps) => {
    const old = read(before)
    const current = read(after)
    const difference = diffDocuments(old, current)
    expect(shortForm(difference.nodes)).toEqual(steps)
    expect(withoutKeys(applyDifference(old, difference))).toEqual(withoutKeys(current))
    expect(withoutKeys(applyDifference(current, invertDifference(difference)))).toEqual(withoutKeys(old))
    expect(DocumentDifference.parse(difference)).toEqual(difference)
  })
})
