import { describe, expect, it } from '@jest/globals'
import { containerTags } from '../document/containers.ts'
import { apiPartTags, layoutTags, targetTags, voidTags } from '../document/tags.ts'
import { checkPage, type TagFault } from './check-page.ts'

const cases: [title: string, markdown: string, faults: TagFault[]][] = [
  ['a pair of tags has no fault', '{% hint style="info" %}\nText\n{% endhint %}', []],
  ['tags that stand alone have no fault', '{% embed url="https://a.example" %}\n\n{% include "../a.md" %}', []],
  ['a file with its end has no fault', '{% file src="a.pdf" %}\nCaption\n{% endfile %}', []],
  ['a block of an integration has no fault', '{% @mermaid/diagram content="a" %}', []],
  ['an unknown tag', '# T\n\n{% carousel %}', [{ fault: 'unknown', name: 'carousel', line: 3 }]],
  ['an unknown tag within text', 'a {% raw %} b', [{ fault: 'unknown', name: 'raw', line: 1 }]],
  ['a tag without its end', '{% tabs %}\nText', [{ fault: 'unclosed', name: 'tabs', line: 1 }]],
  ['an end without its start', 'Text\n\n{% endtabs %}', [{ fault: 'unopened', name: 'tabs', line: 3 }]],
  ['a tag within a list', '* a\n\n  {% hint %}', [{ fault: 'unclosed', name: 'hint', line: 3 }]],
  [
    'a tag within a pair',
    '{% hint style="info" %}\n{% nothing %}\n{% endhint %}',
    [{ fault: 'unknown', name: 'nothing', line: 2 }],
  ],
  ['lines count from the start of the file', '---\na: b\n---\n\n{% x %}', [{ fault: 'unknown', name: 'x', line: 5 }]],
  ['code has no tags', '```\n{% x %}\n```\n\n`{% x %}`', []],
]

describe('the tags of a page', () => {
  it.each(cases)('%s', (_title, markdown, faults) => expect(checkPage(markdown).tagFaults).toEqual(faults))

  it('A tag that holds blocks is read only where it is paired', () => {
    const readNames = [...Object.keys(layoutTags), ...Object.keys(targetTags)]
    expect(readNames.filter(name => !containerTags.has(name))).toEqual([])
  })

  it.each([...containerTags, ...apiPartTags])('A pair of %s has no fault', name =>
    expect(checkPage(`{% ${name} a="b" %}\n\nText\n\n{% end${name} %}`).tagFaults).toEqual([]),
  )

  it.each([...Object.keys(voidTags), ...apiPartTags])('%s has no fault alone, also within text', name =>
    expect(checkPage(`{% ${name} a="b" %}\n\ntext {% ${name} a="b" %} text`).tagFaults).toEqual([]),
  )

  it('A page beyond the bounds is shown as it is written', () =>
    expect(checkPage(`${'>'.repeat(10_000)} x`)).toMatchObject({ isBeyondBounds: true, tagFaults: [] }))

  it('The outline is that of readOutline', () =>
    expect(checkPage('# T\n\n## A\n\n[b](c.md)').outline).toMatchObject({
      title: 'T',
      anchors: ['a'],
      references: [{ target: 'c.md', line: 5 }],
    }))
})
