import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { config, samlSigningKey } from './config.ts'
import { signingKeyFault } from './signing-key.ts'
import { aKeyPair } from '../test/saml/certificate.ts'

const { key, certificate } = aKeyPair()
const other = aKeyPair()
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const environment = {
  NATS_URL: 'nats://localhost',
  DATABASE_URL_IDENTITY: 'postgres://localhost',
  PUBLIC_URL: 'http://recto.test',
  SIGNING_SECRET: 'a'.repeat(32),
}

describe('signingKeyFault', () => {
  it.each<[string, Parameters<typeof signingKeyFault>[0], string | undefined]>([
    ['both', { key, certificate }, undefined],
    ['none', { key: undefined, certificate: undefined }, undefined],
    ['a key alone', { key, certificate: undefined }, 'must be set together'],
    ['a certificate alone', { key: undefined, certificate }, 'must be set together'],
    ['the key of another certificate', { key: other.key, certificate }, 'must be the private key of'],
    ['a key of another kind', { key: curve, certificate }, 'RSA'],
    ['what is no key', { key: 'key', certificate }, 'PEM'],
    ['what is no certificate', { key, certificate: 'certificate' }, 'PEM'],
  ])('%s', (_case, signing, fault) => {
    expect(signingKeyFault(signing)).toEqual(fault === undefined ? undefined : expect.stringContaining(fault))
  })
})

describe('the configuration', () => {
  it('accepts PEM with line breaks escaped as \\n', () => {
    const oneLine = (pem: string) => pem.replaceAll('\n', String.raw`\n`)
    expect(
      samlSigningKey(
        config({ ...environment, SAML_SIGNING_KEY: oneLine(key), SAML_SIGNING_CERTIFICATE: oneLine(certificate) }),
      ),
    ).toEqual({ key, certificate })
    expect(samlSigningKey(config(environment))).toBeUndefined()
  })

  it('is refused with a key that cannot sign, without revealing it', () => {
    const attempt = () => config({ ...environment, SAML_SIGNING_KEY: 'hunter2', SAML_SIGNING_CERTIFICATE: certificate })
    expect(attempt).toThrow('SAML_SIGNING_KEY: must be PEM')
    expect(attempt).not.toThrow('hunter2')
  })
})
