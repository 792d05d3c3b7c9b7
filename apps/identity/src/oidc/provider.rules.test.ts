import { describe, expect, it } from '@jest/globals'
import type { OidcProviderRow } from './provider.entity.ts'
import { acceptsEmail, applySettings, endsSignIns, isActive, type ProviderSettings } from './provider.rules.ts'

const secret = Buffer.from('sealed')
const active: OidcProviderRow = {
  id: 'one',
  organizationId: 'org',
  label: 'Keycloak',
  issuer: 'https://idp.test/realms/a',
  clientId: 'recto',
  clientSecret: secret,
  emailDomains: ['recto.test'],
  scopes: ['openid', 'email'],
  defaultTeam: 'team',
  defaultRole: 'edit',
  createdAt: new Date(0),
}
const blank: OidcProviderRow = { ...active, issuer: null, clientId: null, clientSecret: null, emailDomains: [] }

describe('A change', () => {
  it.each<[string, ProviderSettings, Partial<OidcProviderRow>]>([
    ['of nothing keeps all', {}, {}],
    [
      'clears by null',
      { issuer: null, clientID: null, clientSecret: null },
      { issuer: null, clientId: null, clientSecret: null },
    ],
    ['clears by empty texts', { issuer: '', clientID: '' }, { issuer: null, clientId: null }],
    ['clears role and team', { defaultRole: null, defaultTeam: null }, { defaultRole: null, defaultTeam: null }],
    [
      'has each domain once, in lower case',
      { emailDomains: ['A.test', 'a.TEST', '*'] },
      { emailDomains: ['a.test', '*'] },
    ],
    ['has each scope once', { scopes: ['email', 'email'] }, { scopes: ['email'] }],
    [
      'sets another issuer with its secret',
      { issuer: 'https://b.test', clientSecret: secret },
      { issuer: 'https://b.test' },
    ],
    [
      'sets another issuer and clears the secret',
      { issuer: 'https://b.test', clientSecret: null },
      { issuer: 'https://b.test', clientSecret: null },
    ],
  ])('%s', (_what, settings, change) => {
    expect(applySettings(active, settings)).toEqual({ ...active, ...change })
  })

  it('sets the first issuer without a secret', () => {
    expect(applySettings(blank, { issuer: 'https://b.test' })).toMatchObject({ issuer: 'https://b.test' })
  })

  it('does not send the secret of one issuer to another', () => {
    expect(() => applySettings(active, { issuer: 'https://b.test' })).toThrow('body.clientSecret')
    const cleared = applySettings(active, { issuer: null })
    expect(() => applySettings(cleared, { issuer: 'https://b.test' })).toThrow('body.clientSecret')
  })

  it.each([
    ['http://idp.test', false],
    ['http://127.0.0.1:8080/realms/a', true],
    ['http://localhost:8080', true],
    ['http://[::1]:8080', true],
    ['http://127.0.0.1.evil.test', false],
    ['https://idp.test?', false],
    ['https://idp.test?a=b', false],
    ['https://idp.test#a', false],
    ['https://user@idp.test', false],
    ['https://idp.test/.well-known/openid-configuration', false],
    ['https://idp.test/', true],
  ])('to the issuer %s is accepted: %s', (issuer, isAccepted) => {
    const attempt = () => applySettings(active, { issuer, clientSecret: secret })
    if (isAccepted) expect(attempt).not.toThrow()
    else expect(attempt).toThrow('body.issuer')
  })
})

it.each<[string, Partial<OidcProviderRow>, boolean]>([
  ['with all that it needs', {}, true],
  ['without an issuer', { issuer: null }, false],
  ['without a client', { clientId: null }, false],
  ['without a secret', { clientSecret: null }, false],
  ['without domains', { emailDomains: [] }, false],
  ['without scopes, role and team', { scopes: [], defaultRole: null, defaultTeam: null }, true],
])('A provider %s is active: %s', (_which, change, expected) => {
  expect(isActive({ ...active, ...change })).toBe(expected)
})

it.each<[string, OidcProviderRow, Partial<OidcProviderRow>, boolean]>([
  ['nothing', active, {}, false],
  ['the label', active, { label: 'New' }, false],
  ['the secret', active, { clientSecret: Buffer.from('other') }, false],
  ['the domains', active, { emailDomains: ['b.test'] }, false],
  ['the issuer', active, { issuer: 'https://b.test' }, true],
  ['the client', active, { clientId: 'b' }, true],
  ['the secret to none', active, { clientSecret: null }, true],
  ['the domains to none', active, { emailDomains: [] }, true],
  ['the issuer of one that was not active', blank, { issuer: 'https://b.test' }, false],
])('A change of %s ends sign-ins as it should', (_what, before, change, expected) => {
  expect(endsSignIns(before, { ...before, ...change })).toBe(expected)
})

it.each<[string[], string, boolean]>([
  [['recto.test'], 'ada@recto.test', true],
  [['recto.test'], 'ada@Recto.TEST', true],
  [['recto.test'], 'ada@a.recto.test', false],
  [['recto.test'], 'ada@arecto.test', false],
  [['recto.test'], '"a@recto.test"@evil.test', false],
  [['a.test', 'b.test'], 'ada@b.test', true],
  [['*'], 'ada@anything.test', true],
  [[], 'ada@recto.test', false],
])('Of the domains %j the e-mail %s is accepted: %s', (emailDomains, email, expected) => {
  expect(acceptsEmail({ emailDomains }, email)).toBe(expected)
})
