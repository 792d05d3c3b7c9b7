import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as oauthClient from 'oauth4webapi'
import { query, transact, type Signal } from '@recto/database'
import type { AdminCommand } from '@recto/service'
import { eventually, failure } from '@recto/testing'
import { aMember, anOrganization, joinOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aProgram, aRegisteredProgram, authorize, decide, refresh, type Program } from '../test/oauth/program.ts'
import { hashToken } from '@recto/actor'
import { createId } from '@recto/operation'
import * as tokens from '../users/tokens.repository.ts'
import * as grants from '../grants/grants.repository.ts'
import { forgetPrograms, listPrograms, registerProgram } from './client-commands.ts'
import { reencryptArtifacts } from './reencrypt-artifacts.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let member: TestUser
let program: Program
beforeAll(async () => {
  setup = await anOAuthSetup({ OAUTH_REGISTRATION_ALLOW: 'loopback,program.test' })
  organization = await anOrganization(setup.identity)
  member = await aMember(setup.identity, organization.id)
  program = await aRegisteredProgram(setup, organization)
})
afterAll(() => setup.stop())

const path = () => `/orgs/${organization.id}`
const grantOf = (token: string) => authorize(setup, program, { token })
const works = async (token: string) => (await setup.api(token, '/user')).status === 200

it('Users list and end what they have allowed programs', async () => {
  const { access_token, refresh_token } = await grantOf(member.token)
  const client = await member.client()
  const { items } = await client.listGrants()
  expect(items[0]).toMatchObject({
    object: 'oauth-grant',
    program: { name: 'Wiki search', host: 'program.test' },
    user: { id: member.id },
    scopes: ['read', 'write'],
    lastUsedAt: expect.any(String),
  })
  const params = { oauthGrantId: items[0]?.id ?? '' }
  await (await organization.admin.client()).deleteGrant({ params })
  expect(await works(access_token)).toBe(true)
  await client.deleteGrant({ params })
  expect(await works(access_token)).toBe(false)
  await expect(refresh(program, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('Admins of an organization list and end grants of its members, and of nobody else', async () => {
  const { access_token } = await grantOf(member.token)
  const stranger = await anOrganization(setup.identity)
  const admin = await organization.admin.client()
  const foreign = await stranger.admin.client()
  const params = { organizationId: organization.id }
  const { items } = await admin.listOrganizationGrants({ params })
  const oauthGrantId = items.find(({ user }) => user.id === member.id)?.id ?? ''
  expect(await setup.api(member.token, `${path()}/oauth-grants`)).toMatchObject({ status: 403 })
  const elsewhere = { organizationId: stranger.id }
  await foreign.deleteOrganizationGrant({ params: { ...elsewhere, oauthGrantId } })
  expect(await works(access_token)).toBe(true)
  expect((await foreign.listOrganizationGrants({ params: elsewhere })).items).toEqual([])
  await admin.deleteOrganizationGrant({ params: { ...params, oauthGrantId } })
  expect(await works(access_token)).toBe(false)
})

it('Expired access tokens of a grant are deleted when it renews, and expired grants when another is made', async () => {
  const { access_token, refresh_token } = await grantOf(member.token)
  const { db } = setup.identity.service
  const token = await tokens.findByHash(db, hashToken(access_token))
  const past = new Date(Date.now() - 60_000)
  const grant = await grants.find(db, token?.grantId ?? '')
  if (!token || !grant) throw new Error('The token has no grant')
  const old = { ...token, id: createId(), hash: createId(), expiresAt: past }
  await tokens.insert(db, old)
  await grants.insert(db, { ...grant, id: 'expired', expiresAt: past })
  const renewed = await refresh(program, refresh_token)
  expect(await tokens.find(db, { id: old.id })).toBeUndefined()
  expect([await works(access_token), await works(renewed.access_token)]).toEqual([true, true])
  await grantOf(member.token)
  expect(await grants.listIds(db)).not.toContain('expired')
})

it('Revoking a token by the protocol ends its grant', async () => {
  const first = await grantOf(member.token)
  const second = await refresh(program, first.refresh_token)
  const reply = await oauthClient.revocationRequest(
    program.server,
    program.client,
    oauthClient.None(),
    second.access_token,
    program.options,
  )
  expect(await oauthClient.processRevocationResponse(reply)).toBeUndefined()
  expect([await works(first.access_token), await works(second.access_token)]).toEqual([false, false])
  await expect(refresh(program, second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('A token is described to its program, and to no other', async () => {
  const { access_token } = await grantOf(member.token)
  const describe = async ({ server, client, options }: Program) => {
    const reply = await oauthClient.introspectionRequest(server, client, oauthClient.None(), access_token, options)
    return oauthClient.processIntrospectionResponse(server, client, reply)
  }
  expect(await describe(program)).toMatchObject({ active: true, scope: 'read write', sub: member.id })
  expect(await describe(await aRegisteredProgram(setup, organization))).toEqual({ active: false })
  await setup
    .api(member.token, '/user/grants')
    .then(({ body }) => setup.api(member.token, `/user/grants/${body.items[0].id}`, { method: 'DELETE' }))
  expect(await describe(program)).toEqual({ active: false })
})

it('What was allowed ends with the token that its user has signed in with', async () => {
  const client = await member.client()
  const { id, token } = await client.createToken({ body: { name: 'laptop' } })
  const { access_token, refresh_token } = await grantOf(token)
  expect(await works(access_token)).toBe(true)
  await client.deleteToken({ params: { tokenId: id } })
  expect(await works(access_token)).toBe(false)
  await expect(refresh(program, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('A member who is removed gets no more tokens for a program of the organization', async () => {
  const leaver = await aMember(setup.identity, organization.id)
  const { access_token, refresh_token } = await grantOf(leaver.token)
  const removal = { method: 'DELETE' }
  await setup.api(organization.admin.token, `${path()}/members/${leaver.id}`, removal)
  expect(await setup.api(access_token, path())).toMatchObject({ status: 401 })
  await expect(refresh(program, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  await joinOrganization(setup.identity, { organization: organization.id, userId: leaver.id, role: 'read' })
})

it('A confidential program gets tokens with its secret only, and none that is on the computer of a person', async () => {
  const admin = await organization.admin.client()
  const params = { organizationId: organization.id }
  const redirectURIs = ['https://program.test/callback']
  const body = { name: 'Wiki search', type: 'confidential' as const, redirectURIs }
  const { id, clientSecret = '' } = await admin.createOAuthClient({ params, body })
  expect(JSON.stringify(await admin.listOAuthClients({ params }))).not.toContain(clientSecret)
  const wiki = await aProgram(setup, id)
  const begun = await wiki.begin()
  const answer = await decide(setup.browser(), begun.url, { token: member.token })
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: 'https://program.test/callback',
    code_verifier: begun.verifier,
  })
  const exchange = async (secret: string) => {
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    return (await setup.fetch(`${publicUrl}/oauth/token`, { method: 'POST', headers, body: form.toString() })).status
  }
  await expect(wiki.exchange(begun, answer)).rejects.toMatchObject({ error: 'invalid_client' })
  expect([await exchange('wrong'), await exchange(clientSecret)]).toEqual([401, 200])
  const native = { ...body, redirectURIs: ['http://127.0.0.1/callback'] }
  expect(await failure(admin.createOAuthClient({ params, body: native }))).toBe('invalid_request')
  const plain = { name: 'Plain', redirectURIs: ['http://program.test/callback'] }
  expect(await failure(admin.createOAuthClient({ params, body: plain }))).toBe('invalid_request')
})

it('An operator registers programs for everybody, lists and deletes them', async () => {
  const { db, bus } = setup.identity.service
  const run = async (command: AdminCommand, ...args: string[]) => {
    const lines: string[] = []
    const signal: Signal = ({ subject, id, payload }) => bus.signal(subject, id, payload)
    const transaction = <T>(work: Parameters<typeof transact<T>>[2]) => transact(db, signal, work)
    const code = await failure(command(args, { db, transaction, print: line => void lines.push(line) }))
    return { lines, code }
  }
  const register = registerProgram([secret])
  const { lines } = await run(register, 'Wiki search', 'https://program.test/callback')
  const [id = ''] = lines
  const stranger = await anOrganization(setup.identity)
  const { access_token } = await authorize(setup, await aProgram(setup, id), { token: stranger.admin.token })
  expect(await works(access_token)).toBe(true)
  expect((await run(listPrograms)).lines.find(line => line.startsWith(id))).toContain('the installation')
  expect(await run(forgetPrograms, id, 'nothing')).toEqual({
    lines: ['1 of 2 programs were deleted.'],
    code: 'not_found',
  })
  // The signal of an operator's command may reach the gateway after the next request.
  await eventually(async () => expect(await works(access_token)).toBe(false))
  for (const args of [[], ['Name'], ['Name', 'javascript:alert(1)'], ['Name', 'http://program.test/']])
    expect((await run(register, ...args)).code).toBe('invalid_request')
})

it('Deleting a program ends what it was allowed', async () => {
  const other = await aRegisteredProgram(setup, organization)
  const { access_token } = await authorize(setup, other, { token: member.token })
  const admin = await organization.admin.client()
  const params = { organizationId: organization.id }
  const { items } = await admin.listOAuthClients({ params })
  expect(items[0]).toMatchObject({ id: other.client.client_id, type: 'public', name: 'Wiki search' })
  await admin.deleteOAuthClient({ params: { ...params, oauthClientId: other.client.client_id } })
  expect(await works(access_token)).toBe(false)
  const page = await setup.browser().open((await other.begin()).url)
  expect(page.status).toBe(400)
})

it('Users list and end their sessions; a session that has ended signs in nobody', async () => {
  const person = await aMember(setup.identity, organization.id)
  const browser = setup.browser()
  await decide(browser, (await program.begin()).url, { token: person.token })
  expect((await browser.follow((await program.begin()).url)).text).toContain('Allow Wiki search?')
  const client = await person.client()
  const { items, count } = await client.listSessions()
  expect([count, items[0]?.object]).toEqual([1, 'session'])
  const params = { sessionId: items[0]?.id ?? '' }
  await (await member.client()).deleteSession({ params })
  expect((await client.listSessions()).count).toBe(1)
  await client.deleteSession({ params })
  expect((await browser.follow((await program.begin()).url)).text).toContain('asks for access. Sign in')
})

it('A program that is on the allow list registers itself, and no other', async () => {
  const register = async (metadata: object) => {
    const reply = await setup.fetch(`${publicUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    })
    return { status: reply.status, body: (await reply.json()) as { client_id: string; error?: string } }
  }
  const refused = await register({ client_name: 'Evil', redirect_uris: ['https://evil.test/cb'] })
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  const { status, body } = await register({ client_name: 'Editor', redirect_uris: ['https://program.test/callback'] })
  expect(status).toBe(201)
  const tokens = await authorize(setup, await aProgram(setup, body.client_id), { token: member.token })
  expect(await works(tokens.access_token)).toBe(true)
})

it('No code, token or secret is stored in plain, and all is readable after the secret was rotated', async () => {
  const { access_token, refresh_token = '' } = await grantOf(member.token)
  const { db } = setup.identity.service
  const rows = await query<{ text: string }>(
    db,
    `select row_to_json(a)::text as text from oauth_artifacts a union all select row_to_json(t)::text from tokens t
     union all select row_to_json(s)::text from oauth_sessions s union all select row_to_json(c)::text from oauth_clients c`,
  )
  const all = rows.map(({ text }) => text).join('\n')
  for (const value of [access_token, refresh_token]) expect(all).not.toContain(value)
  const lines: string[] = []
  const context = {
    db,
    transaction: (work: (tx: never) => Promise<unknown>) => db.transaction(tx => work(tx as never)),
    print: (line: string) => void lines.push(line),
  }
  await reencryptArtifacts([`${secret}-of-tomorrow`, secret])([], context as never)
  await reencryptArtifacts([secret, `${secret}-of-tomorrow`])([], context as never)
  expect(lines.at(-1)).toMatch(/^\d+ objects of the OAuth server are encrypted with the present secret\.$/)
  expect(await works((await refresh(program, refresh_token)).access_token)).toBe(true)
})
