import { createId } from '@recto/operation'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aKeyPair } from '../test/saml/certificate.ts'
import { resign, type SignatureOptions } from '../test/saml/elliptic.ts'
import { aLoggedIdentity, aSignOn, tokenOn, type LoggedIdentity, type SignOn } from '../test/saml/sign-on.ts'

let logged: LoggedIdentity
beforeAll(async () => void (logged = await aLoggedIdentity()))
afterAll(() => logged.identity.stop())
beforeEach(() => void logged.takeLines())

const anEmail = () => `${createId().toLowerCase()}@recto.test`
const issued = /^recto_/

async function refusal(attempt: Promise<string>): Promise<unknown> {
  expect(await attempt.catch((error: unknown) => error)).toMatchObject({ code: 'unauthenticated', details: undefined })
  return logged.takeLines()[0]?.reason
}

describe('while an identity provider rotates its key', () => {
  const before = aKeyPair()
  const after = aKeyPair('ec')
  const later = aKeyPair()
  const with_ = (certificate: string) => aSignOn(logged.identity, { certificate })
  const bySecond = async (on: SignOn) =>
    resign(await on.answers(anEmail(), { keys: before }), { keys: after, curve: 'ecdsa-sha256' })

  it('signatures of both keys are accepted, whatever their type and order', async () => {
    for (const certificate of [before.certificate + after.certificate, after.certificate + before.certificate]) {
      const on = await with_(certificate)
      expect(tokenOn(await on.post(await on.answers(anEmail(), { keys: before })))).toMatch(issued)
      expect(tokenOn(await on.post(await bySecond(on)))).toMatch(issued)
      expect(await refusal(on.post(await on.answers(anEmail(), { keys: later })))).toBe('signature')
    }
  })

  it('one may sign the response and the other the assertion', async () => {
    const on = await with_(before.certificate + later.certificate)
    expect(tokenOn(await on.post(await on.answers(anEmail(), { keys: later, sign: 'both' })))).toMatch(issued)
    const other = await aSignOn(logged.identity, { certificate: before.certificate })
    expect(await refusal(other.post(await other.answers(anEmail(), { keys: later, sign: 'both' })))).toBe('signature')
  })

  it('signatures of the old key are refused once its certificate is removed', async () => {
    const on = await with_(before.certificate + after.certificate)
    const old = await on.answers(anEmail(), { keys: before })
    const fresh = await bySecond(on)
    await (
      await on.organization.admin.client()
    ).updateOrganizationSAMLProvider({ params: on.params, body: { certificate: after.certificate } })
    expect(await refusal(on.post(old))).toBe('signature')
    expect(tokenOn(await on.post(fresh))).toMatch(issued)
  })
})

describe('an elliptic curve key', () => {
  const keys = { ec: aKeyPair('ec'), 'ec-384': aKeyPair('ec-384'), 'ec-521': aKeyPair('ec-521') }
  const rsa = aKeyPair()
  let on: Record<keyof typeof keys, SignOn>
  let both: SignOn
  beforeAll(async () => {
    const of = (kind: keyof typeof keys) => aSignOn(logged.identity, { certificate: keys[kind].certificate })
    on = { ec: await of('ec'), 'ec-384': await of('ec-384'), 'ec-521': await of('ec-521') }
    both = await aSignOn(logged.identity, { certificate: keys.ec.certificate + rsa.certificate })
  })
  const answered = async (to: SignOn, signing: SignatureOptions) =>
    resign(await to.answers(anEmail(), { keys: rsa }), signing)

  it.each<[keyof typeof keys, string, string | undefined]>([
    ['ec', 'ecdsa-sha256', undefined],
    ['ec', 'ecdsa-sha512', undefined],
    ['ec-384', 'ecdsa-sha384', 'http://www.w3.org/2001/04/xmldsig-more#sha384'],
    ['ec-521', 'ecdsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  ])('of the kind %s signs with %s', async (kind, algorithm, digest) => {
    expect(
      tokenOn(
        await on[kind].post(
          await answered(on[kind], { keys: keys[kind], curve: algorithm, ...(digest && { digest }) }),
        ),
      ),
    ).toMatch(issued)
  })

  const half = (signature: Buffer) => signature.length / 2
  const malformed: [string, Partial<SignatureOptions>][] = [
    ['in DER', { encoding: 'der' }],
    ['cut off', { edit: signature => signature.subarray(0, -1) }],
    ['r alone', { edit: signature => signature.subarray(0, half(signature)) }],
    ['with a byte more', { edit: signature => Buffer.concat([signature, Buffer.alloc(1)]) }],
    [
      'with longer r and s of the same value',
      {
        edit: signature =>
          Buffer.concat([
            Buffer.alloc(1),
            signature.subarray(0, half(signature)),
            Buffer.alloc(1),
            signature.subarray(half(signature)),
          ]),
      },
    ],
    [
      's before r',
      {
        edit: signature => Buffer.concat([signature.subarray(half(signature)), signature.subarray(0, half(signature))]),
      },
    ],
    ['all zero', { edit: signature => Buffer.alloc(signature.length) }],
    [
      'with r zero',
      { edit: signature => Buffer.concat([Buffer.alloc(half(signature)), signature.subarray(half(signature))]) },
    ],
    ['all ones', { edit: signature => Buffer.alloc(signature.length, 0xff) }],
    ['empty', { edit: () => Buffer.alloc(0) }],
  ]
  it.each(malformed)('does not sign %s', async (_case, changed) => {
    expect(await refusal(on.ec.post(await answered(on.ec, { keys: keys.ec, curve: 'ecdsa-sha256', ...changed })))).toBe(
      'signature',
    )
  })

  const confused: [string, string, () => Promise<[SignOn, SignatureOptions]>][] = [
    [
      'an RSA method named for an elliptic key',
      'signature',
      async () => [on.ec, { keys: keys.ec, curve: 'rsa-sha256', encoding: 'der' }],
    ],
    [
      'an RSA method named for an elliptic key, by a provider with both',
      'signature',
      async () => [both, { keys: keys.ec, curve: 'rsa-sha256', encoding: 'der' }],
    ],
    [
      'an elliptic method named for an RSA key',
      'signature',
      async () => [
        await aSignOn(logged.identity, { certificate: rsa.certificate }),
        { keys: rsa, curve: 'ecdsa-sha256' },
      ],
    ],
    [
      'an elliptic method named for an RSA key, by a provider with both',
      'signature',
      async () => [both, { keys: rsa, curve: 'ecdsa-sha256' }],
    ],
    [
      'another hash than is named',
      'signature',
      async () => [on.ec, { keys: keys.ec, curve: 'ecdsa-sha512', hash: 'sha256' }],
    ],
    ['the key of another curve', 'signature', async () => [on.ec, { keys: keys['ec-384'], curve: 'ecdsa-sha256' }]],
    [
      'another key of the same curve',
      'signature',
      async () => [on.ec, { keys: aKeyPair('ec'), curve: 'ecdsa-sha256' }],
    ],
    ['SHA-1', 'algorithm', async () => [on.ec, { keys: keys.ec, curve: 'ecdsa-sha1', hash: 'sha1' }]],
    [
      'SHA-1 for the digest',
      'algorithm',
      async () => [on.ec, { keys: keys.ec, curve: 'ecdsa-sha256', digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }],
    ],
    [
      'an unknown algorithm',
      'algorithm',
      async () => [on.ec, { keys: keys.ec, curve: 'ecdsa-sha224', hash: 'sha256' }],
    ],
    [
      'the name of a property',
      'algorithm',
      async () => [on.ec, { keys: keys.ec, curve: 'constructor', hash: 'sha256' }],
    ],
  ]
  it.each(confused)('does not sign with %s', async (_case, reason, signing) => {
    const [to, how] = await signing()
    expect(await refusal(to.post(await answered(to, how)))).toBe(reason)
  })

  it('does not cover an assertion whose email was changed', async () => {
    const good = await answered(on.ec, { keys: keys.ec, curve: 'ecdsa-sha256' })
    expect(await refusal(on.ec.post(good.replace('@recto.test', '@evil.test')))).toBe('signature')
    expect(tokenOn(await on.ec.post(good))).toMatch(issued)
  })
})
