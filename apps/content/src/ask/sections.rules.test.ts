import { describe, expect, it } from '@jest/globals'
import { markdownSections, pickSections } from './sections.rules.ts'

const page = `# Title

Introduction.

## First [part](a.md) <a href="#x" id="x"></a>

One.

\`\`\`sh
# no heading
\`\`\`

~~~
## nor this
\`\`\`
~~~

### Below

Two.

## First part

Three.
`

it('Markdown is split at its headings, and not in blocks of code', () => {
  expect(markdownSections(page).map(({ heading }) => heading)).toEqual([
    'Title',
    'First [part](a.md) <a href="#x" id="x"></a>',
    'Below',
    'First part',
  ])
  expect(markdownSections('Text alone\n')).toEqual([{ heading: '', text: 'Text alone' }])
  expect(markdownSections('\n\n')).toEqual([])
})

describe('The sections of a page that a search shows', () => {
  const hit = (title: string, body = 'around the match') => ({ id: `p-${title}`, title, body })
  const pick = (sections: ReturnType<typeof hit>[], max = 1_000) =>
    pickSections(page, { id: 'p', title: 'Title', sections }, max).map(({ id, text }) => [id, text.split('\n')[0]])

  it.each<[string, ReturnType<typeof hit>[], string[][]]>([
    ['a heading, however it is written', [hit('Below')], [['p-Below', '### Below']]],
    [
      'headings of one name, together and once',
      [hit('First part'), hit('First part')],
      [['p-First part', '## First [part](a.md) <a href="#x" id="x"></a>']],
    ],
    ['the text below the title', [hit('Title')], [['p-Title', '# Title']]],
    ['a heading that is not there, by its excerpt', [hit('Gone')], [['p-Gone', 'around the match']]],
    ['nothing but the name of the page', [], [['p', '# Title']]],
    ['nothing at all', [hit('Gone', '')], []],
  ])('are taken by %s', (_what, sections, expected) => {
    expect(pick(sections)).toEqual(expected)
  })

  it('are cut', () => {
    expect(pickSections(page, { id: 'p', title: 'Title', sections: [hit('Below')] }, 5)[0]?.text).toBe('### B')
  })

  it('of a page without headings are its text', () => {
    expect(pickSections('Text.', { id: 'p', title: 'T', sections: [hit('T')] }, 100)).toMatchObject([{ text: 'Text.' }])
  })
})
