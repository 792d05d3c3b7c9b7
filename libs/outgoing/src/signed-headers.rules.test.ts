import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from './signed-headers.rules.ts'

const body = JSON.stringify({ type: 'space.updated', text: 'ä' })
const at = new Date()
const aSecret = () => `whsec_${randomBytes(24).toString('base64')}`

describe('a signature', () => {
  it('is verified by any library of Standard Webhooks', () => {
    const secret = aSecret()
    const headers = signedHeaders({ id: 'a', at, body }, [secret])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(new Webhook(secret).sign('a', at, body)).toBe(headers['webhook-signature'])
  })

  it('of two secrets is verified with either, and with no other', () => {
    const present = aSecret()
    const former = aSecret()
    const other = aSecret()
    const headers = signedHeaders({ id: 'a', at, body }, [present, former])
    for (const secret of [present, former]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  })

  it.each([
    ['another body', { body: `${body} ` }, {}],
    ['another id', {}, { 'webhook-id': 'b' }],
    ['another time', {}, { 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000) + 1) }],
  ])('is not valid for %s', (_what, sent, headers) => {
    const secret = aSecret()
    const signed = { ...signedHeaders({ id: 'a', at, body }, [secret]), ...headers }
    expect(() => new Webhook(secret).verify({ body, ...sent }.body, signed)).toThrow('No matching signature')
  })

  it('of an old message is refused by its receiver', () => {
    const secret = aSecret()
    const headers = signedHeaders({ id: 'a', at: new Date(at.getTime() - 3_600_000), body }, [secret])
    expect(() => new Webhook(secret).verify(body, headers)).toThrow('too old')
  })
})
