import { expect, it } from '@jest/globals'
import { checksOf, cookieOf, expiredCookieOf, hashOf, newBrowserSecret, secretIn } from './browser.rules.ts'

const publicUrl = 'https://recto.test'
const cookieFor = (sent: string) => sent.slice(0, sent.indexOf(';'))

it('What binds an answer differs between sign-ins, and none of it tells the secret', () => {
  const one = newBrowserSecret()
  const two = newBrowserSecret()
  const values = [one, two].flatMap(browser => [...Object.values(checksOf(browser)), browser.secret, hashOf(browser)])
  expect(new Set(values).size).toBe(10)
  expect(checksOf(one)).toEqual(checksOf({ ...one }))
  for (const value of Object.values(checksOf(one))) expect(value).toMatch(/^[\w-]{43}$/)
})

it('A browser has the secret of each sign-in that it began, and of no other', () => {
  const one = newBrowserSecret()
  const two = newBrowserSecret()
  const other = newBrowserSecret()
  const header = ['theme=dark', cookieFor(cookieOf(one, publicUrl)), cookieFor(cookieOf(two, publicUrl))].join('; ')
  expect([one, two, other].map(({ state }) => secretIn(header, { state, publicUrl }))).toEqual([one, two, undefined])
  expect(secretIn(undefined, { state: one.state, publicUrl })).toBeUndefined()
  expect(secretIn(cookieFor(expiredCookieOf(one.state, publicUrl)), { state: one.state, publicUrl })).toBeUndefined()
})

it('A cookie that a sibling host could have set is not read where the API has https', () => {
  const one = newBrowserSecret()
  const plain = cookieFor(cookieOf(one, 'http://recto.test'))
  expect(secretIn(plain, { state: one.state, publicUrl })).toBeUndefined()
  expect(secretIn(plain, { state: one.state, publicUrl: 'http://recto.test' })).toEqual(one)
})
