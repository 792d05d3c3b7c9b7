import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { signingSecrets } from './message.ts'
import { newWebhookSecret, webhookSecrets } from './secrets.ts'
import { signedHeaders } from './signature.rules.ts'

const body = JSON.stringify({ type: 'space.updated', text: 'ä' })
const at = new Date()

describe('a signature', () => {
  it('is verified by any library of Standard Webhooks', () => {
    const secret = newWebhookSecret()
    const headers = signedHeaders({ id: 'a', at, body }, [secret])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(new Webhook(secret).sign('a', at, body)).toBe(headers['webhook-signature'])
  })

  it('of two secrets is verified with either, and with no other', () => {
    const present = newWebhookSecret()
    const former = newWebhookSecret()
    const other = newWebhookSecret()
    const headers = signedHeaders({ id: 'a', at, body }, [present, former])
    for (const secret of [present, former]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  })

  it.each([
    ['another body', { body: `${body} ` }, {}],
    ['another id', {}, { 'webhook-id': 'b' }],
    ['another time', {}, { 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000) + 1) }],
  ])('is not valid for %s', (_what, sent, headers) => {
    const secret = newWebhookSecret()
    const signed = { ...signedHeaders({ id: 'a', at, body }, [secret]), ...headers }
    expect(() => new Webhook(secret).verify({ body, ...sent }.body, signed)).toThrow('No matching signature')
  })

  it('of an old message is refused by its receiver', () => {
    const secret = newWebhookSecret()
    const headers = signedHeaders({ id: 'a', at: new Date(at.getTime() - 3_600_000), body }, [secret])
    expect(() => new Webhook(secret).verify(body, headers)).toThrow('too old')
  })
})

it('a secret is read for its webhook alone, and with a former secret of the installation', () => {
  const sealed = webhookSecrets.seal('whsec_x', 'one', ['former secret of the installation'])
  expect(webhookSecrets.unseal(sealed, 'one', ['present secret', 'former secret of the installation'])).toBe('whsec_x')
  expect(() => webhookSecrets.unseal(sealed, 'two', ['former secret of the installation'])).toThrow()
})

it('a former secret that cannot be decrypted any more does not sign, and the present one does', () => {
  const secrets = ['present'] as const
  const lost = ['lost'] as const
  const webhook = { id: 'one', secret: webhookSecrets.seal('whsec_x', 'one', secrets), formerUntil: new Date(2_000) }
  const now = new Date(1_000)
  const sign = (formerSecret: Buffer) => signingSecrets({ ...webhook, formerSecret }, secrets, now)
  expect(sign(webhookSecrets.seal('whsec_y', 'one', secrets))).toEqual(['whsec_x', 'whsec_y'])
  expect(sign(webhookSecrets.seal('whsec_y', 'one', lost))).toEqual(['whsec_x'])
})
