import { expect, it } from '@jest/globals'
import { unknownAnswer } from '@recto/contracts-shared'
import { toDocument } from '@recto/markdown'
import { faultOf, isFromOwnPage, isPrefetch, isUnknown, questionIn } from './ask.rules.ts'

it.each([
  ['', ''],
  ['q=', ''],
  ['a=b', ''],
  ['q=+How%20so%3F%0A', 'How so?'],
  ['q=one%0D%0Atwo%00three', 'one two three'],
  ['q=first&q=second', 'first'],
])('The form "%s" has the question "%s"', (form, question) => {
  expect(questionIn(new URLSearchParams(form))).toBe(question)
})

const own = 'https://docs.test'
it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ origin: own }, true],
  [{ origin: 'https://elsewhere.test' }, false],
  [{ origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://behind.a.proxy' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: own }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: own }, false],
])('A form with the headers %j is from a page of the site: %s', (headers, expected) => {
  expect(isFromOwnPage(headers, [own])).toBe(expected)
})

it.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ 'sec-purpose': 'prefetch' }, true],
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ purpose: 'preview' }, true],
])('A request with the headers %j is made ahead: %s', (headers, expected) => {
  expect(isPrefetch(headers)).toBe(expected)
})

it.each([
  ['what the API says where nothing was found', unknownAnswer, true],
  ['other words', 'I do not know this word.', false],
  ['nothing', '', false],
])('An answer with %s is none: %s', (_name, markdown, expected) => {
  expect(isUnknown(toDocument(markdown, { title: '', reference: url => ({ kind: 'url', url }) }))).toBe(expected)
})

it.each([
  [409, 'askOff', 409],
  [429, 'askTooMany', 429],
  [400, 'askFailed', 503],
  [500, 'askFailed', 503],
  [503, 'askFailed', 503],
])('A refusal of %d is told as %s, with the status %d', (status, text, pageStatus) => {
  expect(faultOf(status)).toEqual({ text, status: pageStatus })
})
