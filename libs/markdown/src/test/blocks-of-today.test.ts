import { describe, expect, it } from '@jest/globals'
import { outlineOf, read, roundTrip, write } from './round-trip.ts'

const url = (target: string) => ({ kind: 'url', url: target })
const tag = (slug: string) => ({ kind: 'tag', tag: slug })

/** Blocks that the client of today knows: the Markdown, the document, and the normal form when it is another. */
const cases: [title: string, markdown: string, document: unknown[], normal?: string][] = [
  [
    'prompt',
    '{% prompt description="Do \\"it\\"" icon="bolt" openInAIProviders="true" defaultExpanded="full" %}\n```markdown\nUse **this**.\n```\n{% endprompt %}',
    [
      [
        'prompt',
        { description: 'Do "it"', icon: 'bolt', openInAIProviders: true, defaultExpanded: 'full' },
        ['code', { syntax: 'markdown' }, ['code-line', ['Use **this**.']]],
      ],
    ],
  ],
  [
    'operation of a specification by its older tag',
    '{% openapi src="../api.yaml" path="/pets/{id}" method="get" expanded="true" %}\n[../api.yaml](../api.yaml)\n{% endopenapi %}',
    [
      [
        'swagger',
        { path: '/pets/{id}', method: 'get', expanded: true, ref: url('../api.yaml') },
        ['body', ['paragraph', ['link', { ref: url('../api.yaml') }, ['../api.yaml']]]],
      ],
    ],
  ],
  [
    'code that can be opened',
    '{% code title="a" expandable="true" collapsedlinecount="3" %}\n```js\na\n```\n{% endcode %}',
    [['code', { syntax: 'js', title: 'a', expandable: true, collapsedLineCount: 3 }, ['code-line', ['a']]]],
  ],
  [
    'code that is always open',
    '{% code expandable="false" %}\n```\na\n```\n{% endcode %}',
    [['code', { expandable: false }, ['code-line', ['a']]]],
  ],
  [
    'code with a number of lines that is none',
    '{% code expandable="true" collapsedlinecount="0" %}\n\n```\na\n```\n\n{% endcode %}',
    [
      ['code', { raw: true }, ['code-line', ['{% code expandable="true" collapsedlinecount="0" %}']]],
      ['code', ['code-line', ['a']]],
      ['code', { raw: true }, ['code-line', ['{% endcode %}']]],
    ],
  ],
  [
    'highlighted code that can be opened',
    '<pre class="language-js" data-line-numbers data-expandable="true" data-collapsedlinecount="2"><code class="lang-js"><strong>a\n</strong>b</code></pre>',
    [
      [
        'code',
        { syntax: 'js', lineNumbers: true, expandable: true, collapsedLineCount: 2 },
        ['code-line', { highlighted: true }, ['a']],
        ['code-line', ['b']],
      ],
    ],
  ],
  [
    'prompt without code',
    '{% prompt description="a" %}\n\nb\n\n{% endprompt %}',
    [
      ['code', { raw: true }, ['code-line', ['{% prompt description="a" %}']]],
      ['paragraph', ['b']],
      ['code', { raw: true }, ['code-line', ['{% endprompt %}']]],
    ],
  ],
  [
    'updates',
    '{% updates %}\n{% update date="2026-04-22" tags="api, beta" %}\n## A\n{% endupdate %}\n\n{% update date="2026-03-10T08:00:00+02:00" %}\n* b\n{% endupdate %}\n{% endupdates %}',
    [
      [
        'updates',
        { format: 'full' },
        ['update', { date: '2026-04-22T00:00:00.000Z', tags: [tag('api'), tag('beta')] }, ['heading-1', ['A']]],
        ['update', { date: '2026-03-10T08:00:00+02:00' }, ['list-unordered', ['list-item', ['paragraph', ['b']]]]],
      ],
    ],
    '{% updates format="full" %}\n{% update date="2026-04-22" tags="api,beta" %}\n## A\n{% endupdate %}\n\n{% update date="2026-03-10T08:00:00+02:00" %}\n* b\n{% endupdate %}\n{% endupdates %}',
  ],
  [
    'update of a day that the calendar lacks',
    '{% updates format="short" %}\n\n{% update date="2026-02-30" %}\n\na\n\n{% endupdate %}\n\n{% endupdates %}',
    [
      ['code', { raw: true }, ['code-line', ['{% updates format="short" %}']]],
      ['code', { raw: true }, ['code-line', ['{% update date="2026-02-30" %}']]],
      ['paragraph', ['a']],
      ['code', { raw: true }, ['code-line', ['{% endupdate %}']]],
      ['code', { raw: true }, ['code-line', ['{% endupdates %}']]],
    ],
  ],
]

describe('a block of today', () => {
  it.each(cases)('%s', (_title, markdown, document, normal = markdown) => {
    const result = read(markdown)
    expect(result.nodes.map(outlineOf)).toEqual(document)
    expect(write(result).trimEnd()).toBe(normal)
    const { again, writtenAgain, output, faults } = roundTrip(markdown)
    expect([again, writtenAgain, faults]).toEqual([result, output, undefined])
  })
})
