import { expect, it } from '@jest/globals'
import { injectPreview } from './inject-preview.rules.ts'

const page = '<html><body>text</body></html>'

it.each([
  [
    'a page with a nonce',
    page,
    "script-src 'nonce-ab+/='",
    '<script type="module" nonce="ab+/=" src="/x.js"></script></body>',
  ],
  ['a page without one', page, "default-src 'none'", 'text</body>'],
  ['what is no page', 'text', "script-src 'nonce-a'", 'text'],
])('%s', (_title, html, policy, result) => expect(injectPreview(html, { policy, src: '/x.js' })).toContain(result))

it('A fault is text of the page, also where it allows no script', () => {
  const html = injectPreview(page, { policy: "default-src 'none'", src: '/x.js', fault: 'a & <b>' })
  expect(html).toMatch(/text<pre data-recto-fault role="alert" style="[^"]+">a &amp; &lt;b&gt;<\/pre><\/body>/)
})
