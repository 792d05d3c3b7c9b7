import { visitorSignInPaths } from '@recto/contracts-publishing'
import { describe, expect, it } from '@jest/globals'
import { guardSigning, type SigningAction } from './signing-guard.rules.ts'

const actions = Object.keys(visitorSignInPaths) as SigningAction[]
const changes = actions.filter(action => action !== 'signedOut')

describe.each(changes)('The address of %s', action => {
  it.each(['image', 'script', 'style', 'iframe', 'empty', 'object'])('is refused as %s', dest => {
    expect(guardSigning(action, { 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' })).toBe('refuse')
  })

  it('is refused to a browser that loads it before anybody opens it', () => {
    const headers = { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' }
    expect(guardSigning(action, headers)).toBe('refuse')
  })

  it.each(['none', 'same-origin', 'same-site', undefined])('acts where it is opened from %s', site => {
    expect(guardSigning(action, { 'sec-fetch-dest': 'document', 'sec-fetch-site': site })).toBe('act')
  })

  it('acts for a browser that says nothing of where it comes from', () => {
    expect(guardSigning(action, {})).toBe('act')
  })
})

it.each<[SigningAction, string]>([
  ['signIn', 'act'],
  ['callback', 'act'],
  ['signOut', 'ask'],
  ['signedOut', 'act'],
])('A link of another site to %s: %s', (action, answer) => {
  expect(guardSigning(action, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })).toBe(answer)
})

it('A page that changes nothing is shown to all', () => {
  expect(guardSigning('signedOut', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' })).toBe('act')
})
