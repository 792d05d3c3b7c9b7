import { expect, test } from '@jest/globals'
import { tagsOfUpdates, withTagLabels } from './update-tags.ts'
import { toDocument } from './to-document.ts'
import { toMarkdown } from '../writing/to-markdown.ts'
import { writtenReference } from './references.ts'

const changelog = (tags: string) => `{% updates format="full" %}
{% update date="2026-01-02"${tags} %}
Text
{% endupdate %}
{% endupdates %}
`
const read = (markdown: string) => toDocument(markdown, { reference: writtenReference })

test.each([
  ['no updates', 'Text with tags="a"\n', []],
  ['an update without tags', changelog(''), []],
  ['an update', changelog(' tags="b,a,b"'), ['b', 'a']],
  ['an update in a condition', `{% if true %}\n${changelog(' tags="c"')}{% endif %}\n`, ['c']],
  ['an update in details', `<details>\n\n<summary>S</summary>\n\n${changelog(' tags="d"')}\n</details>\n`, ['d']],
])('The tags of %s', (_what, markdown, tags) => expect([...tagsOfUpdates(read(markdown))]).toEqual(tags))

test('Tags that have labels are called by them, and the others by their names', () => {
  const document = read(`${changelog(' tags="a,b"')}\nText\n`)
  const labeled = withTagLabels(document, new Map([['a', 'The "A"']]))
  expect(toMarkdown(labeled, { target: () => '' })).toContain('tags="The \\"A\\",b"')
  expect(withTagLabels(document, new Map([['c', 'C']]))).toBe(document)
})
