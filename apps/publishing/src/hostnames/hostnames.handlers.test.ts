import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, replySchemas } from '@recto/testing'
import { createId } from '@recto/operation'
import * as claims from './custom-hostnames.repository.ts'
import { maxFailing } from './hostname-proof.rules.ts'
import { aDnsServer, type TestDnsServer } from '../test/a-dns-server.ts'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
const other = 'anotherOrganization'

let dns: TestDnsServer
let publishing: PublishingSetup
beforeAll(async () => {
  dns = await aDnsServer()
  publishing = await aPublishing({ HOSTNAME_PROOF: 'dns', DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await publishing.stop()
  await dns.stop()
})

const ours = () => publishing.as('create')
const theirs = () =>
  busClient(publishing.gateway, publishingApi, {
    service: 'publishing',
    prefix: 'api',
    actor: {
      userId: 'eve',
      platformAdmin: false,
      scopes: ['read', 'write', 'admin'],
      memberships: [{ organization: other, role: 'admin' as const, teams: [] }],
    },
  })
const aHostname = () =>
  `${createId()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}.docs.example`

/** A published site that claims a hostname. */
async function aClaim(hostname: string, client = ours(), organizationId = organization) {
  const body = { spaces: [publishing.content.aSpace('Manual', organizationId)] }
  const site = await client.createSite({ params: { organizationId }, body })
  const params = { organizationId, siteId: site.id }
  await client.publishSite({ params })
  return { params, site: await client.updateSiteById({ params, body: { hostname } }) }
}

/** Adds the record that a claim asks for to those that are there. */
async function prove(hostname: string, client = ours(), records: string[] = []) {
  const { proof } = await client.getCustomHostname({ params: { hostname } })
  dns.setRecords(proof.name, [...records, proof.value])
  await client.dnsRevalidateCustomHostname({ params: { hostname } })
  return proof.value
}
const stateIs = (hostname: string, expected: object, client = ours()) =>
  eventually(async () =>
    expect(await client.getCustomHostname({ params: { hostname } })).toMatchObject({ hostname, ...expected }),
  )
const siteAt = async (hostname: string) => {
  const body = { url: `https://${hostname}/` }
  return publishing.anonymous.resolvePublishedContentByUrl({ body, headers: {} }).then(
    lookup => ('site' in lookup ? lookup.site : undefined),
    () => undefined,
  )
}
const mayIssue = (domain: string) =>
  publishing.anonymous.askForCertificate({ query: { domain } }).then(
    () => true,
    () => false,
  )

describe('a hostname', () => {
  it('serves nothing until its record is there, and then the site', async () => {
    const hostname = aHostname()
    const { site } = await aClaim(hostname)
    expect(site).toMatchObject({ hostname, hostnameState: 'pending' })
    expect(site.urls.published).toContain('.docs.test')
    const message = expect.stringContaining(`at _recto.${hostname}`)
    await stateIs(hostname, { isActive: false, proof: { state: 'pending', reason: 'missing', message } })
    expect((await ours().getCustomHostname({ params: { hostname } })).status).toBeUndefined()
    expect([await siteAt(hostname), await mayIssue(hostname)]).toEqual([undefined, false])
    await prove(hostname)
    await stateIs(hostname, { isActive: true, status: 'dns_passed', target: { type: 'site', site: site.id } })
    await eventually(async () => expect(await siteAt(hostname)).toBe(site.id))
    expect(await mayIssue(hostname)).toBe(true)
    const reply = await ours().getCustomHostname({ params: { hostname } })
    expect(schemas.validateReply('getCustomHostname', 200, reply)).toEqual([])
    const after = await ours().getSiteById({ params: { organizationId: organization, siteId: site.id } })
    expect(after).toMatchObject({ hostname, hostnameState: 'active', urls: { published: `https://${hostname}/` } })
  })

  it('that another organization claims, too, is whose who proves it', async () => {
    const hostname = aHostname()
    const { site } = await aClaim(hostname, theirs(), other)
    await aClaim(hostname)
    await prove(hostname, theirs())
    await stateIs(hostname, { isActive: true }, theirs())
    await stateIs(hostname, { isActive: false })
    await eventually(async () => expect(await siteAt(hostname)).toBe(site.id))
  })

  it('stays with the organization that proved it, while its record is there', async () => {
    const hostname = aHostname()
    await aClaim(hostname, theirs(), other)
    const record = await prove(hostname, theirs())
    await stateIs(hostname, { isActive: true }, theirs())
    const { site } = await aClaim(hostname)
    await prove(hostname, ours(), [record])
    await stateIs(hostname, { isActive: false, proof: { reason: 'taken' } })
    await prove(hostname)
    await stateIs(hostname, { isActive: true })
    await stateIs(hostname, { isActive: false, proof: { reason: 'different' } }, theirs())
    await eventually(async () => expect(await siteAt(hostname)).toBe(site.id))
  })

  it('is lost when its record is missing for days, and kept while the DNS does not answer', async () => {
    const hostname = aHostname()
    await aClaim(hostname)
    await prove(hostname)
    await stateIs(hostname, { isActive: true })
    const again = async (records: string[] | undefined) => {
      dns.setRecords(`_recto.${hostname}`, records)
      const { db } = publishing.service
      const [claim] = await claims.claimsTo(db, hostname)
      const failingSince = new Date(Date.now() - maxFailing)
      await claims.update(db, claim?.id ?? '', { failingSince, dueAt: new Date() })
    }
    await again(undefined)
    await stateIs(hostname, { isActive: true, status: 'internal_error', proof: { reason: 'unreachable' } })
    await again([])
    await stateIs(hostname, { isActive: false, proof: { state: 'pending', reason: 'missing' } })
    await eventually(async () => expect(await siteAt(hostname)).toBeUndefined())
  })

  it('replaces another one when it is proven, and not before', async () => {
    const first = aHostname()
    const second = aHostname()
    const { params, site } = await aClaim(first)
    await prove(first)
    await stateIs(first, { isActive: true })
    expect(await ours().updateSiteById({ params, body: { hostname: second } })).toMatchObject({
      hostname: second,
      hostnameState: 'pending',
      urls: { published: `https://${first}/` },
    })
    await prove(second)
    await stateIs(second, { isActive: true })
    await eventually(async () => expect([await siteAt(first), await siteAt(second)]).toEqual([undefined, site.id]))
    await expect(ours().getCustomHostname({ params: { hostname: first } })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is removed by who manages its site, and nobody else', async () => {
    const hostname = aHostname()
    const { params } = await aClaim(hostname)
    await prove(hostname)
    await stateIs(hostname, { isActive: true })
    await theirs().removeCustomHostname({ params: { hostname } })
    for (const denied of ['removeCustomHostname', 'dnsRevalidateCustomHostname'] as const)
      await expect(publishing.as('review')[denied]({ params: { hostname } })).rejects.toMatchObject({
        code: 'forbidden',
      })
    expect((await publishing.as('read').getCustomHostname({ params: { hostname } })).isActive).toBe(true)
    await ours().removeCustomHostname({ params: { hostname } })
    expect((await ours().getSiteById({ params })).hostname).toBeUndefined()
    await eventually(async () => expect(await siteAt(hostname)).toBeUndefined())
  })

  it('of another site of the organization is refused, and changes nothing', async () => {
    const hostname = aHostname()
    await aClaim(hostname)
    const { params, site } = await aClaim(aHostname())
    const change = ours().updateSiteById({ params, body: { title: 'Other', hostname } })
    await expect(change).rejects.toMatchObject({ code: 'conflict', message: 'body.hostname: is taken' })
    expect((await ours().getSiteById({ params })).title).toBe(site.title)
  })
})

it('A proxy of another organization at a proven hostname shows nothing there', async () => {
  const hostname = aHostname()
  const theirSite = await theirs().createSite({
    params: { organizationId: other },
    body: { spaces: [publishing.content.aSpace('Trap', other)] },
  })
  const params = { organizationId: other, siteId: theirSite.id }
  await theirs().publishSite({ params })
  await theirs().updateSiteById({ params, body: { proxy: `${hostname}/docs` } })
  const { site } = await aClaim(hostname)
  await prove(hostname)
  await stateIs(hostname, { isActive: true })
  await eventually(async () => expect(await siteAt(`${hostname}/docs`)).toBe(site.id))
})

it('Without a proof, a hostname is trusted, and proven when its record is there', async () => {
  const trusting = await aPublishing({ DNS_SERVERS: dns.address })
  const client = trusting.as('create')
  const { id } = await client.createSite({ params: { organizationId: organization } })
  const params = { organizationId: organization, siteId: id }
  const hostname = aHostname()
  await client.updateSiteById({ params, body: { hostname } })
  await stateIs(hostname, { isActive: true, proof: { state: 'trusted' } }, client)
  await client.dnsRevalidateCustomHostname({ params: { hostname } })
  await stateIs(hostname, { isActive: true, proof: { state: 'trusted', reason: 'missing' } }, client)
  await prove(hostname, client)
  await stateIs(hostname, { isActive: true, proof: { state: 'proven' } }, client)
  await trusting.stop()
})

it('A subdomain is that of a site, for who sees it', async () => {
  const { params, site } = await aClaim(aHostname())
  const subdomain = site.basename ?? ''
  const reply = await publishing.as('read').getSubdomain({ params: { subdomain } })
  expect(schemas.validateReply('getSubdomain', 200, reply)).toEqual([])
  expect(reply).toMatchObject({ subdomain, target: { organization: params.organizationId }, isActive: true })
  for (const [client, name] of [
    [theirs(), subdomain],
    [ours(), 'nothing-here'],
  ] as const)
    await expect(client.getSubdomain({ params: { subdomain: name } })).rejects.toMatchObject({ code: 'not_found' })
  expect(await mayIssue(`${subdomain}.docs.test`)).toBe(true)
  expect(await mayIssue('nobody.docs.test')).toBe(false)
  await ours().unpublishSite({ params })
  expect(await mayIssue(`${subdomain}.docs.test`)).toBe(false)
})
