import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import {
  aRegisteredProgram,
  authorize,
  callback,
  decide,
  locationOf,
  refresh,
  type Program,
} from '../test/oauth/program.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let program: Program
beforeAll(async () => {
  setup = await anOAuthSetup()
  organization = await anOrganization(setup.identity)
  program = await aRegisteredProgram(setup, organization)
})
afterAll(() => setup.stop())

const api = (...call: Parameters<OAuthSetup['api']>) => setup.api(...call)
const tokensWith = (scope?: string) =>
  authorize(setup, program, { token: organization.admin.token, ...(scope !== undefined && { scope }) })

it('A program gets an access token that works at the API, as its user, with the scopes that were allowed', async () => {
  const tokens = await tokensWith('user:read organization:read')
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'user:read organization:read', expires_in: 3600 })
  expect(tokens.access_token).toMatch(/^recto_/)
  const { status, body } = await api(tokens.access_token, '/user')
  expect([status, body.id]).toEqual([200, organization.admin.id])
  expect(await api(tokens.access_token, `/orgs/${organization.id}/members`)).toMatchObject({ status: 403 })
})

it('The page of consent names the program, where it is, the organization and the scopes in words', async () => {
  const browser = setup.browser()
  const signIn = await browser.follow((await program.begin({ scope: 'space:read' })).url)
  expect([signIn.status, signIn.text]).toEqual([200, expect.stringContaining('Wiki search asks for access')])
  const { text, headers } = await browser.submit(signIn, '/sign-in', { token: organization.admin.token })
  for (const part of [
    'Allow Wiki search?',
    'sends you back to <code>program.test</code>',
    organization.admin.email,
    '<li>Docs</li>',
    '<li>Read spaces and collections with their content, change requests, comments and revisions</li>',
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/<script|onclick|onload|javascript:/)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("form-action 'self' https://program.test;")
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
})

it('Denying tells the program, and gives it nothing', async () => {
  const begun = await program.begin()
  const answer = await decide(setup.browser(), begun.url, { token: organization.admin.token, decision: 'deny' })
  expect(answer.origin + answer.pathname).toBe(callback)
  expect(answer.searchParams.get('error')).toBe('access_denied')
  expect(answer.searchParams.get('code')).toBeNull()
})

it('A browser that is signed in is asked again for each authorization, with another id of its session', async () => {
  const browser = setup.browser()
  await decide(browser, (await program.begin()).url, { token: organization.admin.token })
  const before = browser.cookies.get('__Host-recto-session')?.value
  const consent = await browser.follow((await program.begin()).url)
  expect(consent.text).toContain('Allow Wiki search?')
  const begun = locationOf(await browser.submit(consent, '/answer', { decision: 'allow' }))
  expect(begun.searchParams.get('code')).not.toBeNull()
  const after = browser.cookies.get('__Host-recto-session')?.value
  expect([before, after]).toEqual([expect.any(String), expect.any(String)])
  expect(after).not.toBe(before)
})

it('A refresh token is replaced with each use; using one twice ends the grant, with all of its tokens', async () => {
  const first = await tokensWith()
  const second = await refresh(program, first.refresh_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(await api(second.access_token, '/user')).toMatchObject({ status: 200 })
  await expect(refresh(program, first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  for (const token of [first.access_token, second.access_token])
    expect(await api(token, '/user')).toMatchObject({ status: 401 })
  await expect(refresh(program, second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('The server describes itself as RFC 8414 has it, and the API and its tools as RFC 9728 has it', async () => {
  expect(program.server).toMatchObject({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    scopes_supported: expect.arrayContaining(['read', 'write', 'admin', 'space:read']),
  })
  const resource = await (await setup.fetch(`${publicUrl}/.well-known/oauth-protected-resource/mcp`)).json()
  expect(resource).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl] })
})
