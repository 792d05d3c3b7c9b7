import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { ProviderRow } from './provider.entity.ts'
import { configured, isActive, readCertificate, type Settings } from './provider.rules.ts'
import { aKeyPair } from './test/certificate.ts'

const { certificate, key } = aKeyPair()
const { certificate: elliptic } = aKeyPair('idp.test', 'ec')
const blank: ProviderRow = { id: 'p', organizationId: 'o', label: 'Okta', ssoUrl: null, entityId: null, certificate: null, defaultTeam: 't', defaultRole: 'read', createdAt: new Date() }
const complete: ProviderRow = { ...blank, ssoUrl: 'https://idp.test/sso', entityId: 'idp', certificate }
const bare = certificate.replaceAll(/-----.*-----/g, '').trim()

describe('readCertificate', () => {
  it.each([
    ['PEM', certificate],
    ['PEM with spaces around', `\n  ${certificate}\n`],
    ['PEM with the line ends of Windows', certificate.replaceAll('\n', '\r\n')],
    ['base64 of DER', bare],
    ['base64 of DER in one line', bare.replaceAll('\n', '')],
  ])('reads %s', (_case, text) => {
    expect(new X509Certificate(readCertificate(text) ?? '').fingerprint256).toBe(new X509Certificate(certificate).fingerprint256)
  })

  it.each([['nothing', ''], ['text', 'MIIC...'], ['base64 of something else', 'aGVsbG8='], ['a part of one', bare.slice(0, 400)], ['a key', key], ['one of an elliptic curve', elliptic]])('reads no certificate in %s', (_case, text) => {
    expect(readCertificate(text)).toBeUndefined()
  })
})

describe('isActive', () => {
  it.each<[string, ProviderRow, boolean]>([
    ['all there', complete, true],
    ['no address', { ...complete, ssoUrl: null }, false],
    ['no entity', { ...complete, entityId: null }, false],
    ['no certificate', { ...complete, certificate: null }, false],
    ['a certificate that cannot be read', { ...complete, certificate: 'soon' }, false],
    ['a certificate whose signatures are not accepted', { ...complete, certificate: elliptic }, false],
  ])('%s', (_case, row, active) => {
    expect(isActive(row)).toBe(active)
  })
})

describe('configured', () => {
  it.each<[string, Settings, Partial<ProviderRow>]>([
    ['nothing keeps everything', {}, {}],
    ['values are taken', { label: 'Entra', ssoURL: 'https://b', entityID: 'b', certificate: bare, defaultTeam: 'u', defaultRole: 'edit' }, { label: 'Entra', ssoUrl: 'https://b', entityId: 'b', certificate: bare, defaultTeam: 'u', defaultRole: 'edit' }],
    ['null clears', { defaultTeam: null, defaultRole: null }, { defaultTeam: null, defaultRole: null }],
    ['an empty text clears', { ssoURL: '', entityID: '', certificate: '' }, { ssoUrl: null, entityId: null, certificate: null }],
    ['what is shown of nothing is nothing', { ssoURL: 'about:blank' }, { ssoUrl: null }],
    ['a certificate that cannot be read is kept', { certificate: 'soon' }, { certificate: 'soon' }],
  ])('%s', (_case, settings, changes) => {
    expect(configured(complete, settings)).toEqual({ ...complete, ...changes })
  })

  it.each([
    ['two certificates', certificate + certificate],
    ['a private key', key],
    ['a certificate with its key', certificate + key],
    ['a certificate whose signatures are not accepted', elliptic],
  ])('refuses %s', (_case, text) => {
    const refused = expect.objectContaining({ code: 'invalid_request', details: [{ path: 'body.certificate', message: expect.any(String) }] })
    expect(() => configured(complete, { certificate: text })).toThrow(refused)
  })
})
