import { expect, test } from '@jest/globals'
import { assistantLinks } from './model/ai-assistants.ts'

test('A question to AI assistants is encoded, so that it stays one parameter', () =>
  expect(assistantLinks('Read https://docs.test/a?b&c=d')).toEqual([
    { name: 'ChatGPT', href: 'https://chatgpt.com/?q=Read%20https%3A%2F%2Fdocs.test%2Fa%3Fb%26c%3Dd' },
    { name: 'Claude', href: 'https://claude.ai/new?q=Read%20https%3A%2F%2Fdocs.test%2Fa%3Fb%26c%3Dd' },
  ]))

test.each([
  ['empty', '', 0],
  ['as long as an address', 'a'.repeat(6_000), 2],
  ['longer', 'a'.repeat(6_001), 0],
  ['longer once it is encoded', 'ä'.repeat(1_001), 0],
  ['with half a pair of surrogates', 'a\ud800', 2],
])('A question that is %s has its number of links', (_case, question, count) =>
  expect(assistantLinks(question)).toHaveLength(count),
)
