import { expect, it } from '@jest/globals'
import { signVisitorClaims } from './visitor-claims.ts'
import { signVisitRequest, verifyVisitRequest, visitChallenge } from './visit-request.ts'

const secret = 'a-secret-of-32-characters-or-more-for-tests'
const publicUrl = 'https://recto.test'
const request = () => ({
  organization: 'acme',
  site: 'docs',
  title: 'Docs',
  redirectUri: 'https://docs.test/~recto/sign-in/callback',
  state: 'state',
  challenge: visitChallenge('verifier'),
  expiresAt: Date.now() + 60_000,
})

it('A request is verified as it was signed, also with a former secret', async () => {
  const signed = request()
  const token = await signVisitRequest(signed, publicUrl, [secret])
  expect(await verifyVisitRequest(token, publicUrl, [secret])).toEqual({ ...signed, isExpired: false })
  expect(await verifyVisitRequest(token, publicUrl, [`new ${secret}`, secret])).toMatchObject({ site: 'docs' })
})

it('A request that has expired says so, and which site it was for', async () => {
  const token = await signVisitRequest({ ...request(), expiresAt: Date.now() - 1 }, publicUrl, [secret])
  expect(await verifyVisitRequest(token, publicUrl, [secret])).toMatchObject({ site: 'docs', isExpired: true })
})

it('A request of another installation, another secret, another kind of token, or made up, is none', async () => {
  const token = await signVisitRequest(request(), publicUrl, [secret])
  const [header, , signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...request(), redirectUri: 'https://evil.test' })).toString('base64url')
  const member = { userId: 'ada', email: 'ada@acme.test', displayName: 'Ada' }
  const membership = { organization: 'acme', role: 'read' as const, teams: [] }
  const claims = await signVisitorClaims({ member, membership, publicUrl, now: Date.now() }, [secret])
  expect(await verifyVisitRequest(token, 'https://other.test', [secret])).toBeUndefined()
  expect(await verifyVisitRequest(token, publicUrl, [`another ${secret}`])).toBeUndefined()
  for (const text of ['', 'x', claims, `${header}.${forged}.${signature}`])
    expect(await verifyVisitRequest(text, publicUrl, [secret])).toBeUndefined()
})
