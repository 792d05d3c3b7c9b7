import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { certificateFault, usableCertificates } from './certificates.rules.ts'
import { aKeyPair } from '../test/saml/certificate.ts'

const { certificate: one, key } = aKeyPair()
const { certificate: two } = aKeyPair()
const { certificate: elliptic } = aKeyPair('ec')
const bare = (pem: string) => pem.replaceAll(/-----.*-----/g, '').trim()
const inOneLine = (pem: string) => bare(pem).replaceAll('\n', '')
const keyOf = (pem: string) => new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' })

describe('usableCertificates parses the certificates in a text', () => {
  it.each<[string, string, string[]]>([
    ['PEM', one, [one]],
    ['PEM with spaces around', `\n  ${one}\n`, [one]],
    ['PEM with the line ends of Windows', one.replaceAll('\n', '\r\n'), [one]],
    ['base64 of DER', bare(one), [one]],
    ['base64 of DER in one line', inOneLine(one), [one]],
    ['PEM of several', one + two, [one, two]],
    [
      'PEM of several with what tools write between them',
      `subject=CN = idp\n${one}\nsubject=CN = next\n${elliptic}`,
      [one, elliptic],
    ],
    ['base64 of several, an empty line between them', `${bare(one)}\n\n${bare(elliptic)}`, [one, elliptic]],
    ['base64 of several, each in a line', `${inOneLine(one)}\n${inOneLine(two)}`, [one, two]],
    ['base64 of several, a comma between them', `${bare(one)},\r\n${bare(two)}`, [one, two]],
    ['one that has ended', aKeyPair('rsa', { until: '210101000000Z' }).certificate, ['ended']],
  ])('in %s', (_case, text, expected) => {
    const certificates = usableCertificates(text)
    expect(certificateFault(text)).toBeUndefined()
    expect(certificates.map(({ publicKey }) => publicKey)).toEqual(
      expected.map(pem => (pem === 'ended' ? keyOf(text) : keyOf(pem))),
    )
  })

  it.each(['ec', 'ec-384', 'ec-521'] as const)('with a key on the curve of %s', kind => {
    expect(usableCertificates(aKeyPair(kind).certificate)).toMatchObject([{ kind: 'ec' }])
  })
})

describe('certificateFault names the fault and the certificate', () => {
  const unreadable = 'cannot be parsed: it must be PEM, or DER in base64'
  it.each<[string, string, string]>([
    ['text', 'MIIC...', unreadable],
    ['base64 of something else', 'aGVsbG8=', unreadable],
    ['a part of one', bare(one).slice(0, 400), unreadable],
    ['PEM without its end', one.slice(0, 500), unreadable],
    ['a public key', String(keyOf(one)), unreadable],
    ['white space', ' \n ', unreadable],
    ['a second that is cut off', one + two.slice(0, 500), `certificate 2 of 2 ${unreadable}`],
    ['a first that is cut off', one.slice(0, 500) + two, `certificate 1 of 2 ${unreadable}`],
    ['a second line that is none', `${inOneLine(one)}\naGVsbG8=`, `certificate 2 of 2 ${unreadable}`],
    ['a private key', key, 'must not contain a private key'],
    ['one with its private key', one + key, 'must not contain a private key'],
    ['one of a short RSA key', aKeyPair('rsa-1024').certificate, 'must have an RSA key of at least 2048 bits'],
    [
      'one of a DSA key',
      one + aKeyPair('dsa').certificate,
      'certificate 2 of 2 must have an RSA or elliptic curve key',
    ],
    ['one of another curve', aKeyPair('secp256k1').certificate, 'must have a key on the curve P-256, P-384 or P-521'],
  ])('%s', (_case, text, fault) => {
    expect(certificateFault(text)).toBe(fault)
  })

  it('and the certificate is not trusted, whatever its source', () => {
    expect(usableCertificates(aKeyPair('rsa-1024').certificate + one + 'MIIC')).toHaveLength(1)
    expect(usableCertificates('soon')).toEqual([])
  })
})
