import { expect, it } from '@jest/globals'
import { signingSecrets } from './message.ts'
import { webhookSecrets } from './secrets.ts'

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
