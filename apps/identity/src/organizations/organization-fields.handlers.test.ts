import { busClient, type Bus } from '@recto/bus'
import { identityRpc } from '@recto/contracts-identity-bus'
import { createId } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, aUser, signedIn, type TestUser } from '../test/factories.ts'
import { adminToken, anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'
import { aPublishingResponder, type PublishingResponder } from '../test/publishing-responder.ts'

/** An organization as a reply has it, field by field. */
type Fields = Record<string, unknown>

/** Which organization: one that requires single sign-on, or one that does not. */
type Which = 'open' | 'strict'

/** `barred` are those whose token the organization refuses, `domain` is an outsider who may join. */
type Caller = 'admin' | 'reader' | 'guest' | 'barred' | 'barredGuest' | 'signedIn' | 'domain' | 'platform'

let identity: IdentitySetup
let publishing: PublishingResponder
let content: Bus
let domain: string
let site: string
const ids: Partial<Record<Which, string>> = {}
const clients: Partial<Record<Caller, IdentityClient>> = {}
const actors: Partial<Record<Caller, string>> = {}

beforeAll(async () => {
  identity = await anIdentity()
  publishing = await aPublishingResponder(identity)
  content = await identity.connectAs('content')
  domain = `${createId().toLowerCase()}.test`
  for (const which of ['open', 'strict'] as const) await fill(which)
  const outsider = await aUser(identity, { email: `${createId()}@${domain}` })
  await remember('domain', outsider)
  await remember('platform', { token: adminToken, client: () => identity.as(adminToken) })
})
afterAll(async () => {
  await content.drain()
  await publishing.stop()
  await identity.stop()
})

async function remember(caller: Caller, user: Pick<TestUser, 'token' | 'client'>): Promise<void> {
  clients[caller] = await user.client()
  actors[caller] = user.token
}

async function fill(which: Which): Promise<void> {
  const admin = await aUser(identity)
  const { id } = await (await admin.client()).createOrganization({ body: { title: which, useCase: 'notes' } })
  ids[which] = id
  site = publishing.aSite(id)
  const reader = await aMember(identity, id, 'read')
  const guest = await aMember(identity, id, null)
  const rules = [{ rule: 'require_specific_reviewers' as const, users: [admin.id] }]
  await (
    await admin.client()
  ).updateOrganizationById({
    params: { organizationId: id },
    body: {
      emailDomains: [domain, 'secret.test'],
      hostname: `${which}-${createId().toLowerCase()}`,
      logo: 'https://recto.test/logo.png',
      defaultRole: 'edit',
      defaultContent: { type: 'site', site },
      ai: true,
      sso: which === 'strict',
      mergeRules: { type: 'rules', rules },
    },
  })
  if (which === 'open') {
    await remember('admin', admin)
    await remember('reader', reader)
    await remember('guest', guest)
  } else {
    await remember('barred', reader)
    await remember('barredGuest', guest)
    clients.signedIn = await signedIn(identity, id, reader)
  }
}

/** Every way in which a caller gets the organization. */
async function readings(caller: Caller, which: Which): Promise<Fields[]> {
  const client = clients[caller] as IdentityClient
  const id = ids[which] ?? ''
  const one = client.getOrganizationById({ params: { organizationId: id } }).then(
    organization => [organization],
    () => [],
  )
  const listed = client.listOrganizationsForAuthenticatedUser()
  const byDomain = client.getOrganizationsForEmailDomain({ params: { emailDomain: domain } })
  const all = [...(await one), ...(await listed).items, ...(await byDomain).organizations]
  return all.filter(organization => organization.id === id)
}

const settings: Fields = {
  defaultRole: 'edit',
  ai: true,
  inviteLinks: true,
  hostname: expect.stringContaining('-'),
  useCase: 'notes',
  emailDomains: () => [domain, 'secret.test'],
  defaultContent: { type: 'site', site: expect.any(String) },
  mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [expect.any(String)] }] },
}
const neutral: Fields = {
  defaultRole: undefined,
  ai: false,
  inviteLinks: false,
  hostname: undefined,
  useCase: undefined,
  defaultContent: undefined,
  mergeRules: { type: 'none' },
}
const identityOf = (which: Which): Fields => ({
  object: 'organization',
  title: which,
  createdAt: expect.any(String),
  type: 'business',
  plan: 'enterprise_2024',
  trial: { status: 'notapplicable', count: 0 },
  sso: which === 'strict',
  urls: { location: expect.any(String), app: expect.any(String), logo: 'https://recto.test/logo.png' },
})

describe.each<[Caller, Which, 'settings' | 'neutral', number]>([
  ['admin', 'open', 'settings', 3],
  ['reader', 'open', 'settings', 3],
  ['signedIn', 'strict', 'settings', 3],
  ['guest', 'open', 'neutral', 3],
  ['barred', 'strict', 'neutral', 2],
  ['barredGuest', 'strict', 'neutral', 2],
  ['domain', 'open', 'neutral', 1],
  ['domain', 'strict', 'neutral', 1],
  ['platform', 'open', 'neutral', 1],
])('to the caller %s, the organization that is %s', (caller, which, view, ways) => {
  const fields = Object.entries({ ...identityOf(which), ...(view === 'settings' ? settings : neutral) })

  it.each(fields.map(([name, value]) => [name, value] as const))('has the %s of its view', async (name, value) => {
    const expected = typeof value === 'function' ? (value as () => unknown)() : value
    const seen = await readings(caller, which)
    expect(seen.map(organization => organization[name])).toEqual(Array(ways).fill(expected))
  })

  it('names no domain but those that the caller asked for', async () => {
    if (view === 'settings') return
    const domains = (await readings(caller, which)).flatMap(({ emailDomains }) => emailDomains as string[])
    expect(new Set(domains)).toEqual(new Set([domain]))
  })
})

it('every field of an organization is in the table', async () => {
  const [organization] = await readings('admin', 'open')
  const fields = [
    ...Object.keys({ ...identityOf('open'), ...settings }),
    'id',
    'internal_isOnNewTrial',
    'auditLogs',
    'permissions',
  ]
  expect(Object.keys(organization ?? {}).toSorted()).toEqual(fields.toSorted())
})

it('content gets the settings for merging, and none that the actor may not learn for what it shows', async () => {
  const { describeOrganizations } = busClient(content, identityRpc, { service: 'identity' })
  const rulesFor = async (caller: Caller, hidesSettings?: boolean) => {
    const actor = await identity.actorOf(actors[caller] ?? '')
    if (!actor) throw new Error(`${caller} has no token`)
    const body = { actor, organizations: [ids.open ?? ''], ...(hidesSettings !== undefined && { hidesSettings }) }
    return (await describeOrganizations({ body })).organizations[0]?.mergeRules.type
  }
  expect([await rulesFor('reader'), await rulesFor('guest'), await rulesFor('domain')]).toEqual(Array(3).fill('rules'))
  expect([await rulesFor('reader', true), await rulesFor('guest', true)]).toEqual(['rules', 'none'])
  expect(await rulesFor('domain', true)).toBe('none')
})

it('a token that is limited to resources learns what the organization is called, and may do nothing with it', async () => {
  const { describeOrganizations } = busClient(content, identityRpc, { service: 'identity' })
  const actor = await identity.actorOf(actors.admin ?? '')
  if (!actor) throw new Error('The admin has no token')
  const limitedTo = { spaces: ['space'], collections: [], sites: [] }
  const body = { actor: { ...actor, limitedTo }, organizations: [ids.open ?? ''], hidesSettings: true }
  const [organization] = (await describeOrganizations({ body })).organizations
  expect(organization).toMatchObject({ title: 'open', emailDomains: [], mergeRules: { type: 'none' }, ai: false })
  expect(organization?.defaultRole).toBeUndefined()
  expect(Object.entries(organization?.permissions ?? {}).filter(([, isAllowed]) => isAllowed)).toEqual([])
})
