import { expect, it } from '@jest/globals'
import { plainText, withoutSecrets } from './plain-text.ts'

it.each([
  ['one\r\ntwo\n', 'one\ntwo'],
  ['\u001b[1;31mrefused\u001b[0m\u0007', 'refused'],
  ['10%\r20%\rdone', '10%\n20%\ndone'],
  ['a\0b\u009bc\u202ed', 'abcd'],
  ['über 日本 \u{1f600}', 'über 日本 \u{1f600}'],
])('The text %j is shown as %j', (text, expected) => expect(plainText(text)).toBe(expected))

it.each([
  ['no credentials', undefined, 'hunter22', 'hunter22'],
  ['a password', { username: 'me', password: 'hunter22' }, 'me: hunter22', 'me: ***'],
  ['an encoded password', { username: 'me', password: 'a/b c&d' }, 'at a%2Fb%20c%26d', 'at ***'],
  ['a token as user name', { username: 'token-1', password: '' }, 'of token-1', 'of ***'],
  ['a header', { username: 'me', password: 'hunter22' }, `Basic ${btoa('me:hunter22')}`, 'Basic ***'],
  ['a query', { username: '', password: '', query: '?private_token=abcdef&x=1' }, 'abcdef 1', '*** 1'],
])('The secrets of a message with %s are masked', (_title, credentials, text, expected) =>
  expect(withoutSecrets(text, credentials)).toBe(expected),
)
