import { toDocument } from '@recto/markdown'
import { expect, it } from '@jest/globals'
import { plain } from './test/html.ts'
import { rendered, targetsOf } from './test/render.ts'

const url = 'broken-reference'
const ref = { kind: 'url', url } as const

it.each([
  [`A [link](${url}) of words.`, '<p>A link of words.</p>'],
  [`{% content-ref url="${url}" %}\n[Words](${url})\n{% endcontent-ref %}`, 'Words'],
  [`<a href="${url}" class="button primary">Go</a>`, 'Go'],
])('%s leads nowhere, and does not say so', async (markdown, expected) => {
  const document = toDocument(markdown, { reference: () => ref })
  const targets = targetsOf([ref, { href: url, title: url }])
  const { html } = await rendered('', { document, targets })
  expect(plain(html)).toContain(expected)
  expect(html).not.toContain('<a ')
  expect(html).not.toContain(url)
})
