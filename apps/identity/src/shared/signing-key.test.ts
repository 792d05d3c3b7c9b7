import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { config, signingOf } from './config'
import { signingFault } from './signing-key'
import { aKeyPair } from '../test/saml/certificate'

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

describe('signingFault', () => {
  it.each<[string, Parameters<typeof signingFault>[0], string | undefined]>([
    ['both', { key, certificate }, undefined],
    ['none', { key: undefined, certificate: undefined }, undefined],
    ['a key alone', { key, certificate: undefined }, 'needed with'],
    ['a certificate alone', { key: undefined, certificate }, 'needed with'],
    ['the key of another certificate', { key: other.key, certificate }, 'of the certificate'],
    ['a key of another kind', { key: curve, certificate }, 'RSA'],
    ['what is no key', { key: 'key', certificate }, 'PEM'],
    ['what is no certificate', { key, certificate: 'certificate' }, 'PEM'],
  ])('%s', (_case, signing, fault) => {
    expect(signingFault(signing)).toEqual(fault === undefined ? undefined : expect.stringContaining(fault))
  })
})

describe('the configuration', () => {
  it('takes PEM in one line', () => {
    const oneLine = (pem: string) => pem.replaceAll('\n', String.raw`\n`)
    expect(
      signingOf(
        config({ ...environment, SAML_SIGNING_KEY: oneLine(key), SAML_SIGNING_CERTIFICATE: oneLine(certificate) }),
      ),
    ).toEqual({ key, certificate })
    expect(signingOf(config(environment))).toBeUndefined()
  })

  it('is refused with a key that cannot sign, and does not show it', () => {
    const attempt = () => config({ ...environment, SAML_SIGNING_KEY: 'hunter2', SAML_SIGNING_CERTIFICATE: certificate })
    expect(attempt).toThrow('SAML_SIGNING_KEY: must be PEM')
    expect(attempt).not.toThrow('hunter2')
  })
})
