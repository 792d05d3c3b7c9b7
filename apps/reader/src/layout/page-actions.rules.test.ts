import { expect, test } from '@jest/globals'
import { pageActions } from './page-actions.rules.ts'

const links = { git: { href: '/git', text: 'Edit' }, markdown: { href: '/md', text: 'Markdown' } }

test.each<[Parameters<typeof pageActions>[0], typeof links | object, string[]]>([
  [['markdown', 'git'], links, ['/md', '/git']],
  [['git', 'mcp', 'markdown', 'pdf'], links, ['/git', '/md']],
  [['markdown'], links, ['/md']],
  [[], links, []],
  [['git', 'markdown'], { ...links, git: { href: undefined, text: 'Edit' } }, ['/md']],
])('pages with the actions %j offer them in their order', (items, all, expected) =>
  expect(pageActions(items, all).map(({ href }) => href)).toEqual(expected),
)
