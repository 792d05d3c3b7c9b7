import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { writtenReferencesIn, writtenReference } from '../document/references.ts'
import { readOutline } from '../outline/read-outline.ts'
import { textOf } from '../document/text-of.ts'
import { toDocument } from '../document/to-document.ts'
import { evaluateDocument } from './evaluate-document.ts'
import { readPageOutline, unparsedPageOutline } from './page-outline.ts'
import { meetsCondition } from '@recto/expressions'

const when = (name: string, body: string) => `{% if visitor.claims.${name} %}\n${body}\n{% endif %}`

describe('the parts of a page', () => {
  it.each([
    ['a page without conditions has none', 'Plain `{% if a %}` text.\n\n```\n{% if a %}\n```', undefined],
    ['a page without conditions or expressions has none', 'Plain.', undefined],
    ['a page beyond the bounds shows readers nothing', `${'>'.repeat(10_000)} {% if a %}`, []],
  ])('%s', (_title, markdown, parts) => expect(readPageOutline(markdown).parts).toEqual(parts))

  it('A page that is not parsed shows readers nothing if it may have conditions', () => {
    expect(unparsedPageOutline('{% if a %}\nSecret').parts).toEqual([])
    expect(unparsedPageOutline('Open').parts).toBeUndefined()
  })

  it('Each part has the conditions around it, and a heading that its readers see', () => {
    const inner = `## Inner\n\nBoth ![x](i.png)`
    const page = `# T\n\n## Open\n\nAll [a](a.md)\n\n${when('a', `## Closed\n\nOnly a\n\n${when('b', inner)}\n\nStill a`)}\n\nAll again`
    expect(readPageOutline(page).parts).toMatchObject([
      { title: 'T', conditions: [] },
      { title: 'Open', anchor: 'open', text: 'All a', conditions: [], references: [{ target: 'a.md', kind: 'link' }] },
      { title: 'Closed', anchor: 'closed', text: 'Only a', conditions: ['visitor.claims.a'] },
      {
        title: 'Inner',
        anchor: 'inner',
        text: 'Both x',
        references: [{ target: 'i.png', kind: 'image' }],
        conditions: ['visitor.claims.a', 'visitor.claims.b'],
      },
      { title: 'Closed', continues: true, text: 'Still a', conditions: ['visitor.claims.a'] },
      { title: 'Open', continues: true, text: 'All again', conditions: [] },
    ])
  })

  it('Definitions belong to where they are referred to, and expressions have no words', () => {
    const expression = '<code class="expression">visitor.claims.a ? "secret" : ""</code>'
    const page = `A ${expression} note.[^1] See [b][c].\n\n${when('a', '[^1]: The note\n\n[c]: d.md')}`
    const { parts } = readPageOutline(page)
    expect(JSON.stringify(parts)).not.toContain('secret')
    expect(parts?.[0]).toMatchObject({ conditions: [], references: [{ target: 'd.md' }] })
    expect(parts?.map(({ text }) => text).join('\n')).toContain('The note')
  })
})

const word = fc.integer({ min: 0, max: 999 }).map(number => `w${number}x`)
const { page: blocks } = fc.letrec<{ page: string; block: string }>(tie => ({
  page: fc.array(tie('block'), { maxLength: 4 }).map(all => all.join('\n\n')),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word.map(text => `Some ${text} **bold${text}**`),
    word.map(text => `## Head ${text}`),
    word.map(text => `- item ${text}\n- [link](${text}.md)`),
    word.map(
      text => `<figure><img src="${text}.png" alt="alt ${text}"><figcaption><p>cap ${text}</p></figcaption></figure>`,
    ),
    word.map(text => `| a | ${text} |\n| - | - |\n| c | [d](t${text}.md) |`),
    word.map(text => `Note.[^${text}]\n\n[^${text}]: The note ${text}`),
    word.map(text => `{% file src="${text}.pdf" %}`),
    word.map(text => `{% embed url="https://${text}.test/" %}`),
    word.map(text => `{% include "${text}.md" %}`),
    word.map(text => `{% openapi-operation spec="${text}" path="/" method="get" %}\n{% endopenapi-operation %}`),
    word.map(text => `<a href="${text}.md" class="button primary">b</a>`),
    word.map(text => `{% swagger src="${text}.yaml" path="/" method="get" %}\n{% endswagger %}`),
    word.map(text => `\`\`\`\ncode ${text}\n\`\`\``),
    fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('page')).map(([name, body]) => when(name, body)),
    tie('page').map(body => `{% hint style="info" %}\n${body}\n{% endhint %}`),
    fc
      .tuple(word, tie('page'))
      .map(([text, body]) => `{% tabs %}\n{% tab title="${text}" %}\n${body}\n{% endtab %}\n{% endtabs %}`),
    fc
      .tuple(word, tie('page'))
      .map(([text, body]) => `<details>\n\n<summary>${text}</summary>\n\n${body}\n\n</details>`),
    // Tags without partners stand as they are.
    fc.constantFrom('{% if visitor.claims.a %}', '{% endif %}', '{% endhint %}'),
  ),
}))

const words = (text: string) => [...new Set(text.match(/w\d+x/g) ?? [])].sort()

it('The parts whose conditions hold are what an evaluated document shows', () =>
  fc.assert(
    fc.property(blocks, fc.subarray(['a', 'b', 'c']), (markdown, names) => {
      const scope = {
        space: { vars: {} },
        page: { vars: {} },
        visitor: { claims: Object.fromEntries(names.map(name => [name, true])) },
      }
      const { parts } = readPageOutline(markdown)
      if (!parts) return
      const evaluated = evaluateDocument(toDocument(markdown, { reference: writtenReference }), { scope })
      const seen = parts.filter(({ conditions }) => conditions.every(condition => meetsCondition(condition, scope)))
      expect(words(seen.map(({ title, text }) => `${title}\n${text}`).join('\n'))).toEqual(words(textOf(evaluated)))
      const targets = (references: { target: string }[]) => [...new Set(references.map(({ target }) => target))].sort()
      const ofParts = seen.flatMap(({ references }) => references).filter(({ kind }) => kind !== 'embed')
      expect(targets(ofParts)).toEqual(targets(writtenReferencesIn(evaluated)))
      const all = targets(parts.flatMap(({ references }) => references))
      expect(all).toEqual(expect.arrayContaining(targets(readOutline(markdown).references)))
    }),
    { numRuns: 300 },
  ))
