import { expect, test } from '@jest/globals'
import { withMarkdownSource } from './markdown-source.rules.ts'

const source = { url: 'https://docs.test/a', revision: 'r1', changedAt: '2026-11-25T10:00:00.000Z' }
const line = '> Source: <https://docs.test/a>, revision `r1`, changed 2026-11-25T10:00:00.000Z'

test.each([
  ['# A\n\nText\n', `# A\n\n${line}\n\nText\n`],
  ['# A\nText', `# A\n\n${line}\n\nText\n`],
  ['# A\n', `# A\n\n${line}\n`],
  ['# A\n\n# B\n\n## C\n', `# A\n\n${line}\n\n# B\n\n## C\n`],
  ['Text without a title\n', `${line}\n\nText without a title\n`],
  ['', `${line}\n`],
])('The source of %j stands below its title', (markdown, expected) =>
  expect(withMarkdownSource(markdown, source)).toBe(expected),
)

test('A page of which no change is recorded has a source without a time', () =>
  expect(withMarkdownSource('# A\n', { ...source, changedAt: undefined })).toBe(
    '# A\n\n> Source: <https://docs.test/a>, revision `r1`\n',
  ))
