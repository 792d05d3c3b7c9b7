import { describe, expect, it } from '@jest/globals'
import type { BodyInput } from './index.ts'
import { plain } from './test/html.ts'
import { rendered, targetsOf } from './test/render.ts'

const guide = { kind: 'page', page: 'guide.md' } as const
const picture = { kind: 'file', file: 'a-png' } as const
const dark = { kind: 'file', file: 'dark-png' } as const
const manual = { kind: 'file', file: 'manual-pdf' } as const
const input: Partial<BodyInput> = {
  targets: targetsOf(
    [guide, { href: '/docs/guide', title: 'The guide', description: 'All of it', emoji: '1f4d8' }],
    [
      picture,
      {
        href: '/files/a.png',
        title: 'a.png',
        file: { name: 'a.png', size: 10, contentType: 'image/png', dimensions: { width: 800, height: 400 } },
      },
    ],
    [dark, { href: '/files/dark.png', title: 'dark.png' }],
    [
      manual,
      { href: '/files/m', title: 'm', file: { name: 'manual.pdf', size: 1_234_567, contentType: 'application/pdf' } },
    ],
  ),
  embeds: { 'https://youtu.be/dQw4w9WgXcQ': { title: 'A film', site: 'YouTube' } },
  claims: { plan: 'pro' },
}

const cases: [string, string, string[]][] = [
  ['a paragraph', 'Some text', ['<p>Some text</p>']],
  ['a line break', 'one\\\ntwo', ['<p>one<br/>two</p>']],
  [
    'headings',
    '## One\n\n### Two\n\n#### Three',
    ['<h2 id="one">One</h2><h3 id="two">Two</h3><h4 id="three">Three</h4>'],
  ],
  ['an ordered list', '3. a\n4. b', ['<ol start="3"><li>a</li><li>b</li></ol>']],
  ['a list in a list', '* a\n  * b', ['<ul><li>a<ul><li>b</li></ul></li></ul>']],
  [
    'tasks',
    '* [x] a\n* [ ] b',
    [
      '<input type="checkbox" disabled checked aria-label="Done"/><div>a</div>',
      '<input type="checkbox" disabled aria-label="Not done"/><div>b</div>',
    ],
  ],
  ['a divider', 'a\n\n***', ['<hr/>']],
  ['a quote', '> a', ['<blockquote><p>a</p></blockquote>']],
  [
    'a hint',
    '{% hint style="danger" %}\na\n{% endhint %}',
    ['<div class="hint" data-style="danger" role="note" aria-label="Danger">', '<p>a</p>'],
  ],
  ['a condition that is met', '{% if visitor.claims.plan == "pro" %}\nyes\n{% endif %}', ['<p>yes</p>']],
  ['an expression', 'a <code class="expression">visitor.claims.plan</code>', ['<p>a pro</p>']],
  [
    'an image',
    '<figure><img src="a.png" alt="A" width="200"><figcaption><p>Words</p></figcaption></figure>',
    ['<img src="/files/a.png" alt="A" width="200" height="100"/>', '<figcaption><p>Words</p></figcaption>'],
  ],
  [
    'a part of the width',
    '<figure><img src="a.png" alt="A" width="50%"></figure>',
    ['width="800" height="400" style="inline-size:50%"'],
  ],
  [
    'an image for the dark',
    '<figure><picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="A"></picture></figure>',
    ['class="only-light"', '<img src="/files/dark.png" alt="A" class="only-dark"/>'],
  ],
  ['an image that is not there', '![Some words](missing.png)', ['<span class="missing-image">Some words</span>']],
  [
    'an image of another site',
    '![A](https://example.com/a.png)',
    ['<img src="https://example.com/a.png" alt="A" referrerpolicy="no-referrer"/>'],
  ],
  [
    'a file',
    '{% file src="manual.pdf" %}\nRead it\n{% endfile %}',
    ['href="/files/m" download="manual.pdf"', '1.2 MB · application/pdf', '<figcaption><p>Read it</p></figcaption>'],
  ],
  [
    'an embed',
    '{% embed url="https://example.com/x" %}',
    ['<a class="link-card" href="https://example.com/x" rel="noopener noreferrer">', 'example.com'],
  ],
  [
    'a video',
    '{% embed url="https://youtu.be/dQw4w9WgXcQ" %}',
    [
      'A film',
      '<button type="button" class="load-embed" hidden data-embed="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" data-embed-title="A film">Load the video from youtu.be</button>',
    ],
  ],
  [
    'code',
    '```js\nlet a = 1 < 2\n```',
    ['<span class="code-language">js</span>', '<span class="token-keyword">let</span>', '&lt;', 'hidden data-copy'],
  ],
  [
    'code with a title',
    '{% code title="a.txt" lineNumbers="true" overflow="wrap" %}\n```\nx\ny\n```\n{% endcode %}',
    [
      'data-wrap="true" data-numbered="true"',
      '<span class="code-title">a.txt</span>',
      '<span class="line">x</span>\n<span class="line">y</span>',
    ],
  ],
  [
    'code that can be opened',
    '{% code expandable="true" collapsedlinecount="2" %}\n```\na\n<b>\nc\nd\n```\n{% endcode %}',
    [
      '<span class="line">a</span>\n<span class="line">&lt;b&gt;</span><span class="folded">\n<span class="line">c</span>\n<span class="line">d</span></span></code></pre>',
      '<details class="code-switch"><summary><span class="code-more">Show more</span><span class="code-less">Show less</span></summary></details>',
    ],
  ],
  [
    'a formula',
    '$$a^2$$',
    ['<span class="katex-display">', '<annotation encoding="application/x-tex">a^2</annotation>'],
  ],
  ['a formula in text', 'x $$a^2$$', ['<p>x <span class="formula"><span class="katex">']],
  ['no formula', '$$\\frac{$$', ['<code class="formula-source">\\frac{</code>']],
  [
    'an expandable',
    '<details><summary>More</summary>\n\nText\n\n</details>',
    [
      '<details class="expandable" id="more"><summary>More</summary><div class="expandable-body"><p>Text</p></div></details>',
    ],
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="Linux" %}\na\n{% endtab %}\n{% endtabs %}',
    [
      '<div class="tab-list" role="tablist" aria-label="Tabs 1" hidden>',
      'role="tab" id="linux-tab" aria-controls="linux" aria-selected="true" tabindex="0" data-tab-title="Linux">Linux</button>',
      '<div class="tab-panel" role="tabpanel" id="linux" aria-labelledby="linux-tab" data-tab-title="Linux"><p class="tab-title">Linux</p><p>a</p></div>',
    ],
  ],
  [
    'a stepper',
    '{% stepper %}\n{% step %}\n### One\n{% endstep %}\n{% endstepper %}',
    ['<ol class="stepper"><li class="step">', '<h3 id="one">One</h3>'],
  ],
  [
    'columns',
    '{% columns %}\n{% column width="40%" %}\na\n{% endcolumn %}\n{% column verticalAlignment="middle" %}\nb\n{% endcolumn %}\n{% endcolumns %}',
    [
      '<div class="column" style="--column-width:40%"><p>a</p></div><div class="column" data-align="middle"><p>b</p></div>',
    ],
  ],
  [
    'a reference to a page',
    '{% content-ref url="guide.md" %}\n[guide.md](guide.md)\n{% endcontent-ref %}',
    [
      '<a class="link-card" href="/docs/guide"><span class="link-card-icon"><span class="emoji">📘</span></span>',
      '>The guide</span>',
      '>All of it</span>',
    ],
  ],
  [
    'a reference to nothing',
    '{% content-ref url="gone.md" %}\n[Old page](gone.md)\n{% endcontent-ref %}',
    ['<div class="link-card">', '>Old page</span>'],
  ],
  [
    'a table',
    '| a | b |\n| - | -: |\n| **x** | y |',
    [
      'role="region" tabindex="0" aria-label="Table 1"',
      '<th scope="col" data-align="end">b</th>',
      '<td><strong>x</strong></td><td data-align="end">y</td>',
    ],
  ],
  [
    'columns of all types',
    '<table data-header-hidden><thead><tr><th width="120">T</th><th data-type="number">N</th><th data-type="rating" data-max="3">R</th><th data-type="checkbox">C</th><th data-type="select">S<select><option value="a" label="Alpha" color="blue"></option></select></th><th data-type="files">F</th><th data-type="content-ref">P</th><th data-type="image">I</th></tr></thead><tbody><tr><td>x</td><td>1.5</td><td>2</td><td>true</td><td><span data-option="a"></span></td><td><a href="manual.pdf">manual.pdf</a></td><td><a href="guide.md">guide.md</a></td><td><a href="a.png">a.png</a></td></tr></tbody></table>',
    [
      '<col style="inline-size:120px"/>',
      '<thead class="visually-hidden">',
      '<td data-type="number">1.5</td>',
      'aria-label="2 of 3"',
      'checked aria-label="Yes"',
      '<span class="tag" data-color="blue">Alpha</span>',
      '<a href="/files/m">manual.pdf</a>',
      '<a href="/docs/guide"><span class="emoji">📘 </span>The guide</a>',
      '<img src="/files/a.png" alt width="800" height="400" class="cell-image"/>',
    ],
  ],
  [
    'cards',
    '<table data-view="cards" data-card-size="large"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>Card</td><td><a href="guide.md">guide.md</a></td><td><a href="a.png">a.png</a></td></tr></tbody></table>',
    [
      '<ul class="cards" data-size="large"><li class="card"><img src="/files/a.png" alt width="800" height="400" class="card-cover"/>',
      '<div class="card-title">Card</div><a class="card-link" href="/docs/guide"><span class="visually-hidden">Card</span></a>',
    ],
  ],
  ['a link to a page', '[a](guide.md)', ['<a href="/docs/guide">a</a>']],
  [
    'a link that leads away',
    '[a](https://example.com/?a=1&b=2 "T")',
    ['<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer" title="T">a</a>'],
  ],
  ['a link to nothing', '[a](gone.md)', ['<p>a</p>']],
  ['a link within the page', '[a](#b)', ['<a href="#b">a</a>']],
  ['an emoji', ':rocket:', ['<span class="emoji">🚀</span>']],
  ['an icon that is not there', 'a <i class="fa-no-such-icon">:no-such-icon:</i>', ['<p>a </p>']],
  [
    'a note',
    'words[^1]\n\n[^1]: The note',
    [
      '<button type="button" class="annotation" popovertarget="note">words</button></p><div class="note" id="note" popover="auto" role="note" aria-label="Note"><p>The note</p></div>',
    ],
  ],
  [
    'a mention',
    '[guide.md](guide.md "mention")',
    ['<a class="mention" href="/docs/guide"><span class="emoji">📘 </span>The guide</a>'],
  ],
  [
    'a button',
    '<a href="guide.md" class="button secondary">Go</a>',
    ['<a class="button" data-kind="secondary" href="/docs/guide">Go</a>'],
  ],
  [
    'marks',
    '**a** _b_ <kbd>c</kbd> ~~d~~ <sup>e</sup> <sub>f</sub> `g`',
    ['<strong>a</strong> <em>b</em> <kbd>c</kbd> <del>d</del> <sup>e</sup> <sub>f</sub> <code>g</code>'],
  ],
  [
    'colours',
    '<mark style="color:red;">a</mark> <mark style="background-color:$info;">b</mark>',
    ['<span data-color="red">a</span> <mark data-background="info">b</mark>'],
  ],
  [
    'what was not understood',
    'List<String> and <u>this</u><!-- not this -->\n\n<section>\nthat\n</section>\n\n[unused]: a.md',
    ['<p>List<String> and this</p>'.replace('<String>', '&lt;String>'), '<p>that</p>'],
  ],
  [
    'an operation of a file',
    '{% swagger src="manual.pdf" path="/x" method="get" %}\n[manual.pdf](manual.pdf)\n{% endswagger %}',
    ['<span class="method">GET</span> <code>/x</code>', '<a class="link-card" href="/files/m">'],
  ],
  [
    'an API that a page wrote without a specification',
    '{% swagger baseUrl="https://api.example.com" path="/v1" method="get" summary="List &amp; see" %}\n{% swagger-parameter in="query" name="ids" type="array" required="true" %}\n{% endswagger-parameter %}\n\n{% swagger-response status="200" description="Done" %}\n{% endswagger-response %}\n{% endswagger %}',
    [
      '<strong>List &amp; see</strong>',
      '<span class="method" data-method="get">GET</span> <code>https://api.example.com/v1</code>',
      '<code class="openapi-name">ids</code> <span class="openapi-type">array</span>',
      '<code data-status="2">200</code> <span>Done</span>',
    ],
  ],
]

describe('a block or an inline', () => {
  it.each(cases)('%s', async (_title, markdown, expected) => {
    const { html } = await rendered(markdown, input)
    for (const fragment of expected) expect(plain(html)).toContain(fragment)
  })

  it('hides what a condition hides', async () => {
    const { html } = await rendered('{% if visitor.claims.plan == "free" %}\nno\n{% endif %}', input)
    expect(html).toBe('')
  })

  it('opens links that lead away in a new tab where the site says so', async () => {
    const { html } = await rendered('[a](https://example.com)', { opensExternalLinksInNewTab: true })
    expect(html).toContain('rel="noopener noreferrer" target="_blank"')
  })

  it('shows an icon as its shape', async () => {
    const { html } = await rendered('<i class="fa-github">:github:</i>')
    expect(html).toMatch(/<svg class="icon" viewBox="0 0 \d+ \d+" fill="currentColor" aria-hidden="true"><path d="M/)
  })
})
