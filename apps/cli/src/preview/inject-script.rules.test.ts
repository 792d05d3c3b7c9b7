import { expect, it } from '@jest/globals'
import { injectScript } from './inject-script.rules.ts'

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
])('%s', (_title, html, policy, result) => expect(injectScript(html, { policy, src: '/x.js' })).toContain(result))
