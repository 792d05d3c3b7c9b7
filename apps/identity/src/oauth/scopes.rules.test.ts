import { includesScope, type TokenScope } from '@recto/contracts-shared'
import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { allowedScopes, describeScope, grantableScopes } from './scopes.rules.ts'

const scopes = fc.uniqueArray(fc.constantFrom(...grantableScopes))

describe('allowedScopes', () => {
  it.each<[string, string | undefined, string[], TokenScope[]]>([
    ['a scope that a group includes', 'space:read', ['read'], ['space:read']],
    ['a group that is above', 'write', ['read'], []],
    ['a group of a token that has scopes of it only', 'read', ['space:read'], []],
    ['what is unknown', 'space:read openid nothing', ['admin'], ['space:read']],
    ['nothing', undefined, ['admin'], []],
  ])('%s', (_case, requested, held, allowed) => expect(allowedScopes(requested, held)).toEqual(allowed))

  it('never has more than was asked for, nor than the token includes', () =>
    fc.assert(
      fc.property(scopes, scopes, (requested, held) => {
        const allowed = allowedScopes(requested.join(' '), held)
        expect(allowed.every(scope => requested.includes(scope) && includesScope(held, scope))).toBe(true)
        expect(requested.filter(scope => includesScope(held, scope)).toSorted()).toEqual(allowed.toSorted())
      }),
    ))
})

it('Every scope is described in words of its own', () => {
  const words = grantableScopes.map(describeScope)
  expect(new Set(words).size).toBe(words.length)
  expect(words.every(text => /^[A-Z]/.test(text))).toBe(true)
})
