import type { Role } from '@recto/actor'
import { signVisitorClaims } from '@recto/actor/visitor-claims'
import { verifyVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingCalls } from '@recto/contracts-publishing-bus'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
let identity: IdentityResponder
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

const closedSites = async () => {
  const gateway = busClient(publishing.gateway, publishingCalls, { service: 'publishing' })
  return (await gateway.listClosedSites({ body: {} })).sites
}

const publicUrl = 'http://recto.test'
const client = () => publishing.as('create')
type Settings = Parameters<ReturnType<typeof client>['updateSiteById']>[0]['body']

async function aSite(settings: Settings, title = 'Manual') {
  const body = { spaces: [publishing.content.aSpace(title)] }
  const { id } = await client().createSite({ params: { organizationId: organization }, body })
  const params = { organizationId: organization, siteId: id }
  await client().publishSite({ params })
  const { basename } = await client().updateSiteById({ params, body: settings })
  return { params, host: `https://${basename}.docs.test` }
}

interface Claimed {
  role?: Role | null
  of?: string
  url?: string
  now?: number
  signedWith?: string
}

/** The claims of a member, as the ping of identity answers them. */
const ping = ({
  role = 'read',
  of = organization,
  url = publicUrl,
  now = Date.now(),
  signedWith = secret,
}: Claimed = {}) =>
  signVisitorClaims(
    {
      member: { userId: 'ada', email: 'ada@recto.test', displayName: 'Ada' },
      membership: { organization: of, role, teams: ['writers'] },
      publicUrl: url,
      now,
    },
    [signedWith],
  )

const look = (url: string, jwtToken: string, redirectOnError = false) =>
  publishing.anonymous.resolvePublishedContentByUrl({
    body: { url, visitor: { jwtToken }, redirectOnError },
    headers: {},
  })
async function claimsAt(...args: Parameters<typeof look>) {
  const lookup = await look(...args)
  if ('redirect' in lookup) throw new Error(`redirected to ${lookup.redirect}`)
  return (await verifyVisitorToken(lookup.apiToken, visitorTokenKeys([secret])))?.actor.visitor.claims
}
const refused = (message: string) => ({ code: 'forbidden', message })

describe('the claims of a member, as a login', () => {
  it('open the sites of their organization that need one, and count with adaptive content', async () => {
    const plain = await aSite({ visibility: 'visitor-auth' })
    expect(await claimsAt(plain.host, await ping())).toEqual({})
    const adaptive = await aSite({ visibility: 'visitor-auth', adaptiveContent: { enabled: true } })
    const claims = { sub: 'ada', email: 'ada@recto.test', name: 'Ada', organization, role: 'read', teams: ['writers'] }
    expect(await claimsAt(adaptive.host, await ping())).toEqual({ ...claims, unsigned: {} })
    const secretSpace = publishing.content.aSpace('Secret')
    const { id } = await client().addSpaceToSite({ params: adaptive.params, body: { spaceId: secretSpace } })
    const body = {
      condition: 'visitor.claims.teams.includes("writers") && visitor.claims.sub == "ada"',
      path: 'secret',
    }
    await client().updateSiteSpaceById({ params: { ...adaptive.params, siteSpaceId: id }, body })
    await eventually(async () =>
      expect(await look(`${adaptive.host}/secret`, await ping())).toMatchObject({ space: secretSpace }),
    )
  })

  it.each<[string, Claimed, string]>([
    ['a guest', { role: null }, 'Guests of the organization do not see this site'],
    ['a member of another organization', { of: 'another' }, 'The login is not valid'],
    ['a member of another installation', { url: 'http://elsewhere.test' }, 'The login is not valid'],
    ['claims of before', { now: Date.now() - 3_700_000 }, 'The login has expired'],
    ['claims that somebody else signed', { signedWith: 'another secret of 32 characters' }, 'The login is not valid'],
  ])('open nothing for %s', async (_who, claimed, message) => {
    const site = await aSite({ visibility: 'visitor-auth', adaptiveContent: { enabled: true } })
    await expect(look(site.host, await ping(claimed))).rejects.toMatchObject(refused(message))
    const { privateKey } = await client().getSitePublishingAuthById({ params: site.params })
    expect(privateKey).toEqual(expect.any(String))
    const body = { fallbackURL: 'https://login.test/start' }
    await client().updateSitePublishingAuthById({ params: site.params, body })
    await eventually(async () =>
      expect(await look(site.host, await ping(claimed), true)).toMatchObject({ target: 'external' }),
    )
    // Whoever needs no login reads without claims.
    const open = await aSite({ adaptiveContent: { enabled: true } })
    expect(await claimsAt(open.host, await ping(claimed))).toEqual({ unsigned: {} })
  })

  it('open a closed site for whoever has a role on it, guests too, until it is revoked', async () => {
    identity.setMember('ada', 'read')
    const site = await aSite({ visibility: 'visitor-auth' })
    const admin = publishing.as('admin')
    await admin.updateSiteById({ params: site.params, body: { defaultLevel: null } })
    const opens = async (claimed: Claimed, may: boolean) =>
      eventually(async () => {
        const opening = look(site.host, await ping(claimed))
        if (may) expect(await opening).toMatchObject({ site: site.params.siteId })
        else await expect(opening).rejects.toMatchObject({ code: 'forbidden' })
      })
    await opens({}, false)
    await opens({ role: 'admin' }, true)
    await admin.inviteToSite({ params: site.params, body: { role: 'read', users: ['ada'] } })
    await opens({}, true)
    await opens({ role: null }, true)
    const { closedVersion = 0 } = (await closedSites()).find(({ site: id }) => id === site.params.siteId) ?? {}
    await admin.removeUserFromSite({ params: { ...site.params, userId: 'ada' } })
    await opens({}, false)
    const after = (await closedSites()).find(({ site: id }) => id === site.params.siteId)
    expect(after?.closedVersion).toBeGreaterThan(closedVersion)
  })

  it('count on sites that need no login as those of a login server do, and open no shared site without its key', async () => {
    const open = await aSite({ adaptiveContent: { enabled: true } })
    expect(await claimsAt(open.host, await ping())).toMatchObject({ sub: 'ada', role: 'read', unsigned: {} })
    const shared = await aSite({ visibility: 'share-link' })
    await expect(look(shared.host, await ping())).rejects.toMatchObject({ code: 'not_found' })
  })
})
