import { expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { keysFor } from './derived-keys.ts'
import { signVisitorClaims } from './visitor-claims.ts'
import {
  openVisitEnd,
  openVisitRequest,
  sealVisitEnd,
  sealVisitRequest,
  visitChallenge,
  visitPath,
} from './visit-request.ts'

const secret = 'a-secret-of-32-characters-or-more-for-tests'
const publicUrl = 'https://recto.test'
const request = () => ({
  organization: 'acme',
  site: 'docs',
  host: 'plans-for-next-year.test',
  redirectUri: 'https://docs.test/~recto/sign-in/callback',
  state: 'state',
  challenge: visitChallenge('verifier'),
  expiresAt: Date.now() + 60_000,
})
const end = () => ({ host: 'docs.test', returnTo: 'https://docs.test/', expiresAt: Date.now() + 60_000 })

type Sealing = (request: never, publicUrl: string, secrets: [string]) => Promise<string>
type Opening = (token: string, publicUrl: string, secrets: [string, ...string[]]) => Promise<object | undefined>

/** All requests of a visitor, as an installation seals and opens them. */
const kinds: [string, () => { host: string }, Sealing, Opening][] = [
  ['sign in', request, sealVisitRequest, openVisitRequest],
  ['sign out', end, sealVisitEnd, openVisitEnd],
]

it.each(kinds)(
  'A request to %s is opened as it was sealed, also with a former secret',
  async (_what, make, seal, open) => {
    const sealed = make()
    const token = await seal(sealed as never, publicUrl, [secret])
    expect(await open(token, publicUrl, [secret])).toEqual({ ...sealed, isExpired: false })
    expect(await open(token, publicUrl, [`new ${secret}`, secret])).toMatchObject({ host: sealed.host })
  },
)

it.each(kinds)(
  'A request to %s that has expired says so, and which site it was for',
  async (_what, make, seal, open) => {
    const sealed = make()
    const token = await seal({ ...sealed, expiresAt: Date.now() - 1 } as never, publicUrl, [secret])
    expect(await open(token, publicUrl, [secret])).toMatchObject({ host: sealed.host, isExpired: true })
  },
)

it.each(kinds)('A request to %s shows nothing of what it is', async (_what, make, seal) => {
  const sealed = make()
  const token = await seal(sealed as never, publicUrl, [secret])
  const text = token
    .split('.')
    .map(part => Buffer.from(part, 'base64url').toString('latin1'))
    .join()
  for (const value of Object.values(sealed)) expect(text).not.toContain(String(value))
})

it('A request of another installation, another secret, another kind of token, or made up, is none', async () => {
  const token = await sealVisitRequest(request(), publicUrl, [secret])
  const [header, ...rest] = token.split('.')
  const member = { userId: 'ada', email: 'ada@acme.test', displayName: 'Ada' }
  const membership = { organization: 'acme', role: 'read' as const, teams: [] }
  const claims = await signVisitorClaims({ member, membership, publicUrl, now: Date.now() }, [secret])
  expect(await openVisitRequest(token, 'https://other.test', [secret])).toBeUndefined()
  expect(await openVisitRequest(token, publicUrl, [`another ${secret}`])).toBeUndefined()
  const changed = [header, ...rest.slice(0, -2), `${rest.at(-2)?.slice(0, -4)}AAAA`, rest.at(-1)].join('.')
  for (const text of ['', 'x', claims, changed])
    expect(await openVisitRequest(text, publicUrl, [secret])).toBeUndefined()
})

it('A request to sign in is none to sign out, and the other way round', async () => {
  expect(
    await openVisitEnd(await sealVisitRequest(request(), publicUrl, [secret]), publicUrl, [secret]),
  ).toBeUndefined()
  expect(await openVisitRequest(await sealVisitEnd(end(), publicUrl, [secret]), publicUrl, [secret])).toBeUndefined()
})

it('A request that was signed, as before they were encrypted, is none', async () => {
  const signed = new SignJWT({ ...request() })
    .setProtectedHeader({ alg: 'HS256', typ: 'visit+jwt' })
    .setAudience(`${publicUrl}${visitPath}`)
  for (const purpose of ['recto visits of members', 'recto sealed visits of members'])
    expect(
      await openVisitRequest(await signed.sign(keysFor([secret], purpose)[0]), publicUrl, [secret]),
    ).toBeUndefined()
})
