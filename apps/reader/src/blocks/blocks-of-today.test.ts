import { describe, expect, it } from '@jest/globals'
import { rendered } from './test/render.ts'

/** HTML without the direction of its texts. */
const plain = (html: string) => html.replaceAll(' dir="auto"', '')

/** Markdown, and parts of its HTML. */
const cases: [title: string, markdown: string, parts: string[]][] = [
  [
    'a diagram, as text until a script draws it',
    '```mermaid\nflowchart LR\n  a --> b\n```',
    ['<figure class="code" data-diagram="Diagram">', 'flowchart'],
  ],
  [
    'an operation of a file by its older tag',
    '{% openapi src="https://example.com/api.yaml" path="/x" method="get" %}\n[api.yaml](https://example.com/api.yaml)\n{% endopenapi %}',
    ['<span class="method">GET</span> <code>/x</code>', 'href="https://example.com/api.yaml"'],
  ],
  [
    'a prompt',
    '{% prompt description="Do it" defaultExpanded="partial" %}\n```\nUse <b> & that\n```\n{% endprompt %}',
    [
      '<figure class="prompt" data-partial="true">',
      'Do it</span>',
      '<button type="button" class="copy" hidden data-copy="true" data-copied="Copied">Copy</button>',
      '<details open><summary>Prompt</summary><div class="code" data-wrap="true"><pre class="code-scroll"',
      'Use &lt;b&gt; &amp; that',
    ],
  ],
  [
    'updates',
    '{% updates %}\n{% update date="2026-04-22" tags="api,b" %}\n## One\n{% endupdate %}\n{% update date="2026-04-22" %}\nTwo\n{% endupdate %}\n{% endupdates %}',
    [
      '<div class="updates-filter" role="group" aria-label="Filter by tag" hidden>',
      '<button type="button" aria-pressed="false" data-update-filter="api"><bdi>api</bdi></button>',
      '<article class="update" id="update-2026-04-22-2">',
      '<a href="#update-2026-04-22-2"><time datetime="2026-04-22T00:00:00.000Z">April 22, 2026</time></a>',
      '<ul class="tags"><li data-update-tag="api"><bdi>api</bdi></li>',
      '<h2 id="one">One',
      '<article class="update" id="update-2026-04-22">',
    ],
  ],
]

describe('a block of today', () => {
  it.each(cases)('%s', async (_title, markdown, parts) => {
    const { html } = await rendered(markdown)
    for (const part of parts) expect(plain(html)).toContain(part)
  })

  it.each([
    ['links to its file once where its text is that link alone', '[api.yaml](https://example.com/api.yaml)', 1],
    ['keeps other text of its page', 'See [the file](https://example.com/api.yaml).', 2],
    ['keeps a link to another file', '[old.yaml](https://example.com/old.yaml)', 2],
  ])('an operation of a file %s', async (_name, body, links) => {
    const tag = `{% openapi src="https://example.com/api.yaml" path="/x" method="get" %}\n${body}\n{% endopenapi %}`
    const { html } = await rendered(tag)
    expect(html.match(/href="/g)).toHaveLength(links)
    expect(html).not.toContain('not available')
  })

  it.each([
    ['where the site opens assistants', true, '', true],
    ['not where the site opens none', false, ' openInAIProviders="true"', false],
    ['not where the block says so', true, ' openInAIProviders="false"', false],
  ])('opens a prompt in AI assistants %s', async (_name, externalAI, option, isOffered) => {
    const markdown = `{% prompt description="a"${option} %}\n\`\`\`\nb & c?\n\`\`\`\n{% endprompt %}`
    const { html } = await rendered(markdown, { externalAI })
    const link = '<a href="https://claude.ai/new?q=b%20%26%20c%3F" target="_blank" rel="noopener noreferrer">'
    expect([html.includes(`${link}Open in Claude</a>`), html.includes('Open in')]).toEqual([isOffered, isOffered])
  })

  it.each([
    ['the newest first', ['24', '23', '23', '22'], ['24', '23-2', '23', '22']],
    ['the oldest first', ['22', '23', '23', '24'], ['22', '23', '23-2', '24']],
  ])('keeps the ids of updates when a newer one of their day is added, %s', async (_order, days, ids) => {
    const update = (day: string) => `{% update date="2026-04-${day}" %}\nText\n{% endupdate %}\n`
    const { html } = await rendered(`{% updates %}\n${days.map(update).join('')}{% endupdates %}`)
    expect([...html.matchAll(/id="update-2026-04-([\d-]+)"/g)].map(([, id]) => id)).toEqual(ids)
  })

  it('opens no prompt whose address would be too long', async () => {
    const markdown = `{% prompt description="a" %}\n\`\`\`\n${'b '.repeat(3_000)}\n\`\`\`\n{% endprompt %}`
    expect((await rendered(markdown, { externalAI: true })).html).not.toContain('Open in')
  })

  it('tells the feed of a page of its updates, with the labels of their tags', async () => {
    const markdown =
      '{% updates %}\n{% update date="2026-04-22" tags="api" %}\n## One\n\nMore <!-- no -->\n{% endupdate %}\n{% update date="2026-04-21" %}\nTwo\n\n{% if false %}\nno\n{% endif %}\n{% endupdate %}\n{% endupdates %}'
    const { html, updates } = await rendered(markdown, {
      tags: { api: { label: 'The API', color: 'red', emoji: '🎉' } },
      feed: '/docs/changes/rss.xml',
    })
    expect(plain(html)).toContain(
      '<li data-update-tag="api" data-color="red"><span aria-hidden="true">🎉 </span><bdi>The API</bdi></li>',
    )
    expect(updates).toEqual([
      { id: 'update-2026-04-22', date: '2026-04-22T00:00:00.000Z', title: 'One', text: 'More', tags: ['The API'] },
      { id: 'update-2026-04-21', date: '2026-04-21T00:00:00.000Z', title: 'April 21, 2026', text: 'Two', tags: [] },
    ])
    expect(html).toContain('<a href="/docs/changes/rss.xml">RSS</a>')
  })
})
