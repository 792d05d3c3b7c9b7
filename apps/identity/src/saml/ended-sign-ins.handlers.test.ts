import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization } from '../test/factories.ts'
import { gatewayActors } from '../test/gateway-actors.ts'
import { anIdentity, type IdentityClient, type IdentitySetup } from '../test/identity-setup.ts'
import { aKeyPair, type KeyPair } from '../test/saml/certificate.ts'
import { ssoURL } from '../test/saml/identity-provider.ts'
import { aSignOn, type SignOn } from '../test/saml/sign-on.ts'

/** A user who signed in, with a client and a token that they made with the one of the sign-in. */
interface SignedIn {
  id: string
  email: string
  tokens: string[]
  client: IdentityClient
}

let identity: IdentitySetup
let keys: KeyPair
let others: KeyPair
let on: SignOn
let admin: IdentityClient
let cache: Awaited<ReturnType<typeof gatewayActors>>
beforeAll(async () => {
  identity = await anIdentity()
  keys = aKeyPair()
  others = aKeyPair()
  cache = await gatewayActors(identity)
})
beforeEach(async () => {
  on = await aSignOn(identity, { keys })
  admin = await on.organization.admin.client()
})
afterAll(() => identity.stop())

async function signIn(through = on, email = `${createId().toLowerCase()}@recto.test`): Promise<SignedIn> {
  const first = await through.token(email)
  const client = await identity.as(first)
  const { id } = await client.getAuthenticatedUser()
  const made = await client.createToken({ body: { name: 'ci' } })
  return { id, email, tokens: [first, made.token], client }
}

/** The tokens that a gateway takes, which knows those that it has seen before from its cache. */
const aliveTokens = async ({ tokens }: SignedIn) =>
  (await Promise.all(tokens.map(token => failure(cache.find(token))))).filter(code => code === undefined).length

type Settings = Parameters<IdentityClient['updateOrganizationSAMLProvider']>[0]['body']
const change = (body: Settings) => admin.updateOrganizationSAMLProvider({ params: on.params, body })

describe('the tokens of a sign-in, and those made with them, end at once', () => {
  const here = () => ({ organizationId: on.organization.id })
  it.each<[string, (user: SignedIn) => Promise<unknown>]>([
    ['its provider is deleted', () => admin.deleteOrganizationSAMLProvider({ params: on.params })],
    ['its provider loses its certificate', () => change({ certificate: null })],
    ['its provider loses its address', () => change({ ssoURL: '' })],
    ['its provider loses its entity id', () => change({ entityID: '' })],
    ['its provider becomes another identity provider', () => change({ entityID: 'https://other.test' })],
    ['its provider trusts other keys only', () => change({ certificate: others.certificate })],
    [
      'its user is removed from the organization',
      ({ id }) => admin.removeMemberFromOrganizationById({ params: { ...here(), userId: id } }),
    ],
    [
      'its user leaves the organization',
      ({ id, client }) => client.removeMemberFromOrganizationById({ params: { ...here(), userId: id } }),
    ],
  ])('when %s', async (_when, end) => {
    const user = await signIn()
    expect(await aliveTokens(user)).toBe(2)
    await end(user)
    expect(await aliveTokens(user)).toBe(0)
    // The actor of a request that was under way when the sign-in ended.
    expect(await failure(user.client.createToken({ body: { name: 'later' } }))).toBe('unauthenticated')
  })

  it('do not come back when the user is invited again', async () => {
    const user = await signIn()
    await admin.removeMemberFromOrganizationById({ params: { ...here(), userId: user.id } })
    await admin.inviteUsersToOrganization({ params: here(), body: { emails: [user.email] } })
    expect(await aliveTokens(user)).toBe(0)
  })

  it.each<[string, () => Settings]>([
    [
      'label, role and address of its provider change',
      () => ({ label: 'New', defaultRole: null, ssoURL: `${ssoURL}/2` }),
    ],
    ['a certificate is added', () => ({ certificate: `${on.keys.certificate}\n${others.certificate}` })],
    ['nothing changes', () => ({})],
  ])('and not when %s', async (_when, body) => {
    const user = await signIn()
    await change(body())
    expect(await aliveTokens(user)).toBe(2)
  })

  it('and not when a certificate is removed after a time with two', async () => {
    const user = await signIn()
    await change({ certificate: `${on.keys.certificate}\n${others.certificate}` })
    await change({ certificate: others.certificate })
    expect(await aliveTokens(user)).toBe(2)
  })

  it('and no others: of another provider, of another organization, of the members', async () => {
    const entra = await aSignOn(identity, { organization: on.organization, keys, label: 'Entra' })
    const member = await aMember(identity, on.organization.id, 'read')
    await admin.setUserAsSSOMemberForOrganization({ params: { ...here(), userId: member.id } })
    const users = [
      await signIn(entra),
      await signIn(await aSignOn(identity, { keys })),
      await signIn(entra, member.email),
    ]
    await signIn(on, member.email)
    await admin.deleteOrganizationSAMLProvider({ params: on.params })
    expect(await Promise.all(users.map(aliveTokens))).toEqual([2, 2, 2])
    expect(await identity.actorOf(member.token)).not.toBeNull()
  })

  it('with any provider of the organization when the provider is not known', async () => {
    const entra = await aSignOn(identity, { organization: on.organization, keys, label: 'Entra' })
    const user = await signIn(entra)
    await query(identity.service.db, 'update tokens set sso_provider = null where user_id = $1', [user.id])
    expect(await aliveTokens(user)).toBe(2)
    await admin.deleteOrganizationSAMLProvider({ params: on.params })
    expect(await aliveTokens(user)).toBe(0)
  })
})

describe('a sign-in that is under way when its provider ends', () => {
  /** Holds back all changes of the organization until both calls wait for it, in their order. */
  async function inOrder<A, B>(first: () => Promise<A>, second: () => Promise<B>) {
    const { db } = identity.service
    const waiting = async () => {
      const sql = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await query<{ count: number }>(db, sql))[0]?.count
    }
    return db.transaction(async tx => {
      await query(tx, 'select from organizations where id = $1 for update', [on.organization.id])
      const one = first()
      await eventually(async () => expect(await waiting()).toBe(1))
      const other = second()
      await eventually(async () => expect(await waiting()).toBe(2))
      return [one, other] as const
    })
  }

  it.each<[string, () => Promise<unknown>, string]>([
    ['is deleted', () => admin.deleteOrganizationSAMLProvider({ params: on.params }), 'not_found'],
    ['trusts other keys', () => change({ certificate: others.certificate }), 'unauthenticated'],
    ['is cleared', () => change({ certificate: null }), 'unauthenticated'],
  ])('gives no token when the provider %s first', async (_how, end, code) => {
    const email = `${createId().toLowerCase()}@recto.test`
    const response = await on.answers(email)
    const [ending, page] = await inOrder(end, () => failure(on.post(response)))
    await ending
    expect(await page).toBe(code)
    const { items } = await admin.listMembersInOrganizationById({
      params: { organizationId: on.organization.id },
      query: { search: email },
    })
    expect(items).toEqual([])
  })

  it('gives a token that ends with the provider when it comes first', async () => {
    const response = await on.answers(`${createId().toLowerCase()}@recto.test`)
    const [page, ending] = await inOrder(
      () => on.post(response),
      () => admin.deleteOrganizationSAMLProvider({ params: on.params }),
    )
    await ending
    const token = /recto_\w+/.exec(await page)?.[0] ?? ''
    expect(token).not.toBe('')
    expect(await identity.actorOf(token)).toBeNull()
  })

  it('makes no further token when the provider ends first', async () => {
    const user = await signIn()
    const [ending, made] = await inOrder(
      () => admin.deleteOrganizationSAMLProvider({ params: on.params }),
      () => failure(user.client.createToken({ body: { name: 'later' } })),
    )
    await ending
    expect(await made).toBe('unauthenticated')
  })

  it('cannot be completed after the provider is set up again', async () => {
    const response = await on.answers(`${createId().toLowerCase()}@recto.test`)
    await change({ certificate: null })
    await change({ certificate: on.keys.certificate })
    expect(await failure(on.post(response))).toBe('unauthenticated')
  })
})

it('the tokens of an organization end with its only provider, and not those of others', async () => {
  const elsewhere = await anOrganization(identity)
  const user = await signIn()
  const other = await signIn(await aSignOn(identity, { organization: elsewhere, keys }))
  await admin.deleteOrganizationSAMLProvider({ params: on.params })
  await admin.deleteOrganizationSAMLProvider({ params: on.params })
  expect([await aliveTokens(user), await aliveTokens(other)]).toEqual([0, 2])
})
