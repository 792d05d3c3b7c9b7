import { expect, test } from '@jest/globals'
import { pageActions } from './page-actions.rules.ts'

const links = {
  git: [{ href: '/git', text: 'Edit' }],
  markdown: [
    { href: '/copy', text: 'Copy', isCopied: true },
    { href: '/md', text: 'Markdown' },
  ],
}

test.each<[Parameters<typeof pageActions>[0], Parameters<typeof pageActions>[1], string[]]>([
  [['markdown', 'git'], links, ['/copy', '/md', '/git']],
  [['git', 'mcp', 'markdown', 'pdf'], links, ['/git', '/copy', '/md']],
  [['markdown'], links, ['/copy', '/md']],
  [[], links, []],
  [['git', 'markdown'], { ...links, git: [] }, ['/copy', '/md']],
])('Pages with the actions %j offer them in their order', (items, all, expected) =>
  expect(pageActions(items, all).map(({ href }) => href)).toEqual(expected),
)
