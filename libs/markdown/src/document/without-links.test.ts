import { expect, it } from '@jest/globals'
import { toMarkdown } from '../writing/to-markdown.ts'
import type { DocumentRef } from './schema.ts'
import { toDocument } from './to-document.ts'
import { withoutLinks } from './without-links.ts'

const isDead = (ref: DocumentRef | undefined) => ref?.kind === 'url' && ref.url === 'dead'
const without = (markdown: string) => {
  const document = toDocument(markdown, { reference: url => ({ kind: 'url', url }) })
  return toMarkdown(withoutLinks(document, isDead), { target: ref => ('url' in ref ? ref.url : '') }).trim()
}

it.each([
  ['a [**bold** word](dead) and [a live one](live)', 'a **bold** word and [a live one](live)'],
  ['[alone](dead)', 'alone'],
  ['by [dead](dead "mention"), by [Ada](dead "mention")', 'by , by Ada'],
  ['a ![picture](dead)', 'a <img src="dead" alt="picture">'],
  ['> * [in a list](dead)', '> * in a list'],
  ['{% hint style="info" %}\n[in a hint](dead)\n{% endhint %}', '{% hint style="info" %}\nin a hint\n{% endhint %}'],
  [
    '{% content-ref url="dead" %}\n[words](dead)\n{% endcontent-ref %}',
    '{% content-ref url="dead" %}\nwords\n{% endcontent-ref %}',
  ],
])('%s is read as %s', (markdown, expected) => expect(without(markdown)).toBe(expected))
