import { describe, expect, it } from '@jest/globals'
import type { ProviderRow } from './provider.entity.ts'
import { applySettings, endsSignIns, isActive, type ProviderSettings } from './provider.rules.ts'
import { aKeyPair } from '../test/saml/certificate.ts'

const { certificate, key } = aKeyPair()
const { certificate: elliptic } = aKeyPair('ec')
const { certificate: short } = aKeyPair('rsa-1024')
const blank: ProviderRow = {
  id: 'p',
  organizationId: 'o',
  label: 'Okta',
  ssoUrl: null,
  entityId: null,
  certificate: null,
  defaultTeam: 't',
  defaultRole: 'read',
  createdAt: new Date(),
}
const complete: ProviderRow = { ...blank, ssoUrl: 'https://idp.test/sso', entityId: 'idp', certificate }
const bare = certificate.replaceAll(/-----.*-----/g, '').trim()

describe('isActive', () => {
  it.each<[string, ProviderRow, boolean]>([
    ['all there', complete, true],
    ['no address', { ...complete, ssoUrl: null }, false],
    ['no entity', { ...complete, entityId: null }, false],
    ['no certificate', { ...complete, certificate: null }, false],
    ['a certificate that cannot be read', { ...complete, certificate: 'soon' }, false],
    ['a certificate whose signatures are not accepted', { ...complete, certificate: short }, false],
    ['two certificates', { ...complete, certificate: certificate + elliptic }, true],
  ])('%s', (_case, row, active) => {
    expect(isActive(row)).toBe(active)
  })
})

describe('endsSignIns', () => {
  const both = certificate + elliptic
  it.each<[string, Partial<ProviderRow>, Partial<ProviderRow>, boolean]>([
    ['nothing changes', {}, {}, false],
    [
      'label, role, team and address change',
      {},
      { label: 'b', defaultRole: null, defaultTeam: null, ssoUrl: 'b' },
      false,
    ],
    ['the address is cleared', {}, { ssoUrl: null }, true],
    ['the entity id is cleared', {}, { entityId: null }, true],
    ['the certificate is cleared', {}, { certificate: null }, true],
    ['the entity id changes', {}, { entityId: 'another' }, true],
    ['the certificate is written in another way', {}, { certificate: bare }, false],
    ['a certificate is added', {}, { certificate: both }, false],
    ['one of two certificates is removed', { certificate: both }, { certificate: elliptic }, false],
    ['another certificate replaces it', {}, { certificate: elliptic }, true],
    ['it was not complete before', { certificate: null }, { entityId: 'another' }, false],
  ])('%s', (_case, before, after, ends) => {
    expect(endsSignIns({ ...complete, ...before }, { ...complete, ...before, ...after })).toBe(ends)
  })
})

describe('applySettings', () => {
  it.each<[string, ProviderSettings, Partial<ProviderRow>]>([
    ['nothing keeps everything', {}, {}],
    [
      'values are taken',
      { label: 'Entra', ssoURL: 'https://b', entityID: 'b', certificate: bare, defaultTeam: 'u', defaultRole: 'edit' },
      { label: 'Entra', ssoUrl: 'https://b', entityId: 'b', certificate: bare, defaultTeam: 'u', defaultRole: 'edit' },
    ],
    ['null clears', { defaultTeam: null, defaultRole: null }, { defaultTeam: null, defaultRole: null }],
    [
      'an empty text clears',
      { ssoURL: '', entityID: '', certificate: '' },
      { ssoUrl: null, entityId: null, certificate: null },
    ],
    ['what is shown of nothing is nothing', { ssoURL: 'about:blank' }, { ssoUrl: null }],
    [
      'several certificates are taken',
      { certificate: certificate + elliptic },
      { certificate: certificate + elliptic },
    ],
  ])('%s', (_case, settings, changes) => {
    expect(applySettings(complete, settings)).toEqual({ ...complete, ...changes })
  })

  it.each<[string, string, string]>([
    ['a private key', key, 'must not contain a private key'],
    ['a certificate that cannot be read', 'soon', 'cannot be parsed: it must be PEM, or DER in base64'],
    [
      'one of several whose signatures are not accepted',
      certificate + short,
      'certificate 2 of 2 must have an RSA key of at least 2048 bits',
    ],
  ])('refuses %s', (_case, text, message) => {
    const refused = expect.objectContaining({
      code: 'invalid_request',
      message: `body.certificate: ${message}`,
      details: [{ path: 'body.certificate', message }],
    })
    expect(() => applySettings(complete, { certificate: text })).toThrow(refused)
  })
})
