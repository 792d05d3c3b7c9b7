import { describe, expect, it } from '@jest/globals'
import { readOutline } from './read-outline.ts'

const page = `---
description: D
---

# The title

Before.

## First part <a href="#one" id="one"></a>

Some **bold** \`code\` ![alt text](a%20b.png).

{% tabs %}
{% tab title="Tab one" %}
### Inner

[link](x.md#a&amp;b)
{% endtab %}
{% endtabs %}

## First part

| a | b |
| - | - |
| c | [d](d\\_e.md) |
`

describe('the outline of a page', () => {
  it('has title, sections, anchors and references', () =>
    expect(readOutline(page)).toEqual({
      title: 'The title',
      sections: [
        { title: '', level: 0, text: 'Before.' },
        {
          title: 'First part',
          level: 2,
          text: 'Some bold code alt text.\nTab one',
          anchor: 'one',
          anchorPath: ['one'],
        },
        { title: 'Inner', level: 3, text: 'link', anchor: 'inner', anchorPath: ['one', 'inner'] },
        { title: 'First part', level: 2, text: 'a\nb\nc\nd', anchor: 'first-part', anchorPath: ['first-part'] },
      ],
      anchors: ['one', 'inner', 'first-part'],
      references: [
        { target: 'a%20b.png', kind: 'image', line: 11, anchor: 'one' },
        { target: 'x.md#a&amp;b', kind: 'link', line: 17, anchor: 'inner' },
        { target: 'd_e.md', kind: 'link', line: 25, anchor: 'first-part' },
      ],
    }))

  it.each([
    ['links', '[a](b.md "t")', [{ target: 'b.md', kind: 'link' }]],
    ['mentions', '[a](b.md "mention")', [{ target: 'b.md', kind: 'mention' }]],
    ['definitions', '[a][b]\n\n[b]: c.md', [{ target: 'c.md', kind: 'link' }]],
    ['autolinks', '<https://a.example>', [{ target: 'https://a.example', kind: 'link' }]],
    [
      'pictures',
      '<figure><picture><source srcset="d.png" media="x"><img src="l.png"></picture></figure>',
      [
        { target: 'd.png', kind: 'image' },
        { target: 'l.png', kind: 'image' },
      ],
    ],
    ['buttons', '<a href="b&amp;c" class="button primary">x</a>', [{ target: 'b&amp;c', kind: 'button' }]],
    ['images in text', 'x <img src="a.png"> y', [{ target: 'a.png', kind: 'image' }]],
    [
      'cells',
      '<table data-view="cards">\n<tr><td><a href="x.md">x</a></td></tr></table>',
      [{ target: 'x.md', kind: 'link' }],
    ],
    ['files', '{% file src="a b.pdf" %}', [{ target: 'a b.pdf', kind: 'file' }]],
    ['files in text', 'x {% file src="a.pdf" %} y', [{ target: 'a.pdf', kind: 'file' }]],
    ['embeds', '{% embed url="https://x/\\#/" %}', [{ target: 'https://x/#/', kind: 'embed' }]],
    [
      'content references',
      '{% content-ref url="a.md" %}\n{% endcontent-ref %}',
      [{ target: 'a.md', kind: 'content-ref' }],
    ],
    ['legacy content references', '{% page-ref page="a.md" %}', [{ target: 'a.md', kind: 'content-ref' }]],
    ['includes', '{% include "../a.md" %}', [{ target: '../a.md', kind: 'include' }]],
    ['specifications', '{% openapi-operation spec="p" path="/" method="get" %}', [{ target: 'p', kind: 'openapi' }]],
    ['specifications by file', '{% openapi src="a.yaml" %}', [{ target: 'a.yaml', kind: 'swagger' }]],
    ['swagger', '{% swagger src="a.yaml" path="/" %}', [{ target: 'a.yaml', kind: 'swagger' }]],
    ['none in code', '`[a](b)`\n\n```\n{% file src="a" %}\n```', []],
  ])('finds %s', (_title, markdown, references) =>
    expect(readOutline(markdown).references.map(({ target, kind }) => ({ target, kind }))).toEqual(references),
  )

  it('counts lines within HTML', () =>
    expect(readOutline('a\n\n<div>\n<img src="x">\n</div>').references).toEqual([
      { target: 'x', kind: 'image', line: 4 },
    ]))

  it('keeps what a page says as anchors, and makes the others around it', () =>
    expect(readOutline('# T\n\n## A\n\n## A\n\n## B <a id="a"></a>\n\n<div id="x">y</div>\n\n## ?').anchors).toEqual([
      'a-1',
      'a-2',
      'a',
      'heading',
      'x',
    ]))

  it('keeps a page beyond the bounds as text', () => {
    const markdown = `${'>'.repeat(10_000)} x`
    expect(readOutline(markdown).sections).toEqual([{ title: '', level: 0, text: markdown }])
  })
})
