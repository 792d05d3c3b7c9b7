import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { oauthDocuments, oauthEndpoints } from '@recto/contracts-identity'
import { routeOf } from '@recto/operation'
import { anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'
import { aRegisteredProgram, type Program } from '../test/oauth/program.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
let program: Program
beforeAll(async () => {
  setup = await anOAuthSetup()
  organization = await anOrganization(setup.identity)
  program = await aRegisteredProgram(setup, organization)
})
afterAll(() => setup.stop())

const routes = [
  ...Object.entries(oauthEndpoints).map(([id, row]) => ({ id, base: '/oauth', row })),
  ...Object.entries(oauthDocuments).map(([id, row]) => ({ id, base: '/.well-known', row })),
].map(({ id, base, row }) => {
  const { method = 'GET', path = '' } = routeOf(row) ?? {}
  const isPage = 'failurePage' in row.response
  return { id, method, path: `${base}${path.replace('{uid}', 'unknown-id')}`, isPage }
})

/** Fields that some endpoint reads. */
const fields = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'resource',
  'state',
  'prompt',
  'code',
  'code_verifier',
  'code_challenge',
  'code_challenge_method',
  'device_code',
  'grant_type',
  'refresh_token',
  'token',
  'token_type_hint',
  'user_code',
  'xsrf',
  'csrf',
  'confirm',
  'abort',
  'decision',
  'organization',
  'ticket',
  'request_uri',
]
const hostile = ['\0', 'a\0b', '\ud800', '\u202e', '<script>alert(1)</script>', 'x'.repeat(300), '%', '__proto__', '']

/** Sends texts to an endpoint in all of its fields, as a form or in the address; a program names itself. */
async function send({ method, path }: { method: string; path: string }, text: string, client: Record<string, string>) {
  const all = new URLSearchParams({ ...Object.fromEntries(fields.map(name => [name, text])), ...client })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html, application/json' }
  return method === 'POST'
    ? setup.fetch(`${publicUrl}${path}`, { method, headers, body: all.toString() })
    : setup.fetch(`${publicUrl}${path}?${all.toString()}`, { headers })
}

/** The faults of a reply to hostile texts. */
async function faultsOf(reply: Response, isPage: boolean): Promise<string[]> {
  const body = await reply.text()
  const { headers, status } = reply
  return [
    status >= 500 && `${status} ${body.slice(0, 200)}`,
    body.includes('<script') && 'a script',
    isPage && status !== 303 && !headers.get('content-type')?.startsWith('text/html') && 'no page',
    isPage &&
      status !== 303 &&
      !headers.get('content-security-policy')?.startsWith("default-src 'none'") &&
      'no policy',
  ].filter(fault => typeof fault === 'string')
}

describe.each(routes)('$id', route => {
  it('answers hostile texts without a failure of its own, and as what it is', async () => {
    const cases = hostile.flatMap(text =>
      [{}, { client_id: program.client.client_id }].map(client => ({ text, client })),
    )
    const faults = []
    for (const { text, client } of cases)
      for (const fault of await faultsOf(await send(route, text, client as Record<string, string>), route.isPage))
        faults.push({ text: text.slice(0, 30), client, fault })
    expect(faults).toEqual([])
  })

  it('says by headers who may keep its reply, and sends its address to nobody', async () => {
    const { headers } = await setup.fetch(`${publicUrl}${route.path}`, { method: route.method })
    const isShared = route.path.startsWith('/.well-known') || route.path === '/oauth/jwks'
    expect(headers.get('cache-control')).toMatch(isShared ? /public, max-age=\d+/ : /no-store/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})
