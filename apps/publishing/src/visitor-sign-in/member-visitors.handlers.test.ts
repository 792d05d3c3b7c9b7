import { randomBytes } from 'node:crypto'
import { signVisitorClaims } from '@recto/actor/visitor-claims'
import { query } from '@recto/database'
import { createId } from '@recto/operation'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'
import { aPublishing, organization, publicUrl, secret, type PublishingSetup } from '../test/publishing-setup.ts'

/** A site, and where a browser finds it. */
interface Place {
  params: { organizationId: string; siteId: string }
  url: string
  root: string
}

const schemas = replySchemas()
const oidc = { issuer: 'https://login.test', clientId: 'docs', clientSecret: null, scopes: [] }
let publishing: PublishingSetup
let identity: IdentityResponder
let place: Place
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})
beforeEach(async () => {
  identity.setMember('ada', 'edit', ['writers'])
  place = await aSite()
})

const creator = () => publishing.as('create')

async function aSite(): Promise<Place> {
  const body = { spaces: [publishing.content.aSpace('Manual')] }
  const { id } = await creator().createSite({ params: { organizationId: organization }, body })
  const params = { organizationId: organization, siteId: id }
  await creator().publishSite({ params })
  const settings = { visibility: 'visitor-auth' as const, adaptiveContent: { enabled: true } }
  const { basename } = await creator().updateSiteById({ params, body: settings })
  await creator().updateSitePublishingAuthById({ params, body: { members: {} } })
  const root = `https://${basename}.docs.test`
  return { params, root, url: `${root}/guide?a=1` }
}

const update = (body: object, { params } = place) => creator().updateSitePublishingAuthById({ params, body })
const aBrowser = () => randomBytes(32).toString('base64url')
const start = (browser: string, { url, root } = place) =>
  publishing.anonymous.startVisitorSignIn({ body: { url, root, browser } })
const complete = (browser: string, queryText: string, { url, root, ...more }: Omit<Place, 'params'> = place) =>
  publishing.anonymous.completeVisitorSignIn({ body: { url, root, browser, query: queryText, ...more } })

/** Begins a sign-in, and signs a member in at identity; resolves to the query that the browser comes back with. */
async function authorized(browser: string, { id = createId(), user = 'ada', at = place } = {}): Promise<string> {
  return identity.visit((await start(browser, at)).redirect, { id, user })
}

async function signIn({ id = createId(), user = 'ada', at = place } = {}): Promise<string> {
  const browser = aBrowser()
  return (await complete(browser, await authorized(browser, { id, user, at }), at)).token
}

const lookUp = (jwtToken?: string, redirectOnError = false, { url } = place) =>
  publishing.anonymous.resolvePublishedContentByUrl({
    body: { url, redirectOnError, ...(jwtToken !== undefined && { visitor: { jwtToken } }) },
  })

/** The claims in the token of a lookup. */
async function claimsOf(jwtToken: string): Promise<Record<string, unknown>> {
  const result = await lookUp(jwtToken)
  const payload = 'apiToken' in result ? result.apiToken.split('.')[1] : ''
  return (JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as { claims: Record<string, unknown> }).claims
}

const refused = { code: 'forbidden' }

describe('a site that members read', () => {
  it('sends visitors to the authorization server of the installation, and lets members in with their claims', async () => {
    expect(await lookUp()).toMatchObject({ redirect: `${place.root}/~recto/sign-in?location=%2Fguide` })
    const browser = aBrowser()
    const { redirect } = await start(browser)
    expect(redirect).toMatch(`${publicUrl}/oauth/visits?request=`)
    const session = await complete(browser, await identity.visit(redirect, { id: createId(), user: 'ada' }))
    expect(session).toMatchObject({ location: '/guide?a=1' })
    expect(Date.parse(session.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    expect(schemas.validateReply('resolvePublishedContentByUrl', 200, await lookUp(session.token))).toEqual([])
    expect(await claimsOf(session.token)).toEqual({
      sub: 'ada',
      email: 'ada@recto.test',
      name: 'ADA',
      organization,
      role: 'edit',
      teams: ['writers'],
      unsigned: {},
    })
  })

  it('has the claims that a mapping names, as they are at each lookup', async () => {
    await update({ members: { claims: { groups: 'teams', rank: 'role' } } })
    const token = await signIn()
    expect(await claimsOf(token)).toEqual({ groups: ['writers'], rank: 'edit', unsigned: {} })
    const member = { userId: 'ada', email: 'ada@recto.test', displayName: 'ADA' }
    const membership = { organization, role: 'edit' as const, teams: ['writers'] }
    const link = await signVisitorClaims({ member, membership, publicUrl, now: Date.now() }, [secret])
    expect(await claimsOf(link)).toEqual({ groups: ['writers'], rank: 'edit', unsigned: {} })
    identity.setMember('ada', 'review', ['writers', 'editors'])
    expect(await claimsOf(token)).toEqual({ groups: ['writers', 'editors'], rank: 'review', unsigned: {} })
  })

  it('is closed to guests without a grant, also to those who become one', async () => {
    identity.setMember('guest', null)
    await expect(signIn({ user: 'guest' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/Guests/),
    })
    const token = await signIn()
    identity.setMember('ada', null)
    await expect(lookUp(token)).rejects.toMatchObject(refused)
  })

  it('keeps nothing of a member, and no session in plain', async () => {
    const id = createId()
    const token = await signIn({ id })
    const rows = JSON.stringify(await query(publishing.service.db, 'select * from visitor_sessions'))
    for (const text of [token, id, 'ada@recto.test']) expect(rows).not.toContain(text)
  })
})

describe('a sign-in of a member', () => {
  it('is completed once, and by the browser that began it', async () => {
    const browser = aBrowser()
    const back = await authorized(browser)
    await expect(complete(aBrowser(), back)).rejects.toMatchObject(refused)
    await complete(browser, back)
    await expect(complete(browser, back)).rejects.toMatchObject(refused)
  })

  it('is refused with the state, or the code, of another', async () => {
    const browser = aBrowser()
    const [first, second] = [await authorized(browser), await authorized(browser)].map(
      text => new URLSearchParams(text),
    )
    const mixed = new URLSearchParams({ code: first?.get('code') ?? '', state: second?.get('state') ?? '' })
    await expect(complete(browser, mixed.toString())).rejects.toMatchObject(refused)
    for (const back of ['code=x', `state=${first?.get('state')}`])
      await expect(complete(browser, back)).rejects.toMatchObject(refused)
  })

  it('is refused at another site', async () => {
    const other = await aSite()
    const browser = aBrowser()
    const back = await authorized(browser)
    await expect(complete(browser, back, other)).rejects.toMatchObject(refused)
    const own = new URLSearchParams(await authorized(browser, { at: other }))
    own.set('code', new URLSearchParams(back).get('code') ?? '')
    await expect(complete(browser, own.toString(), other)).rejects.toMatchObject(refused)
  })

  it('leads back to no address that is none of the site', async () => {
    const body = { url: place.url, root: 'https://evil.test', browser: aBrowser() }
    await expect(publishing.anonymous.startVisitorSignIn({ body })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'body.root' })],
    })
  })

  it('leads to its own host from behind its proxy, which nobody proves to own, and back to no proxy', async () => {
    const proxy = `${createId().toLowerCase()}.test/help`
    await creator().updateSiteById({ params: place.params, body: { proxy } })
    const at = { url: `https://${proxy}/guide`, root: `https://${proxy}` }
    expect(await lookUp(undefined, false, { ...place, ...at })).toMatchObject({
      redirect: `${place.root}/~recto/sign-in?location=%2Fguide`,
    })
    const fault = {
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'body.root', message: expect.stringMatching(/proxy/) })],
    }
    await expect(start(aBrowser(), { ...place, ...at })).rejects.toMatchObject(fault)
    await expect(start(aBrowser(), { ...place, root: at.root })).rejects.toMatchObject(fault)
    const browser = aBrowser()
    const back = await identity.visit((await start(browser, { ...place, url: at.url })).redirect, {
      id: createId(),
      user: 'ada',
    })
    expect(await complete(browser, back)).toMatchObject({ location: '/guide' })
    await update({ oidc, members: null })
    expect(await lookUp(undefined, false, { ...place, ...at })).toMatchObject({
      redirect: `${at.root}/~recto/sign-in?location=%2Fguide`,
    })
  })

  it('is over when the site signs visitors in otherwise meanwhile', async () => {
    const browser = aBrowser()
    const back = await authorized(browser)
    await update({ members: { claims: { mail: 'email' } } })
    await expect(complete(browser, back)).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/changed/),
    })
  })
})

describe('the session of a member on a site', () => {
  it('ends with theirs at identity, with their membership, and with the setting of the site', async () => {
    const id = createId()
    const token = await signIn({ id })
    const other = await signIn()
    expect(await lookUp(token)).toHaveProperty('apiToken')
    identity.endSession(id)
    await expect(lookUp(token)).rejects.toMatchObject({ ...refused, message: 'The login has ended' })
    expect(await lookUp(token, true)).toMatchObject({ target: 'external' })
    expect(await lookUp(other)).toHaveProperty('apiToken')
    identity.setMember('ada', undefined)
    await expect(lookUp(other)).rejects.toMatchObject(refused)
    identity.setMember('ada', 'read')
    await update({ members: null })
    await expect(lookUp(other)).rejects.toMatchObject(refused)
    await expect(start(aBrowser())).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is signed out at a site, and by that on all sites of the browser', async () => {
    const other = await aSite()
    const id = createId()
    const token = await signIn({ id })
    const elsewhere = await signIn({ id, at: other })
    const { url, root } = place
    const signOut = () => publishing.anonymous.endVisitorSession({ body: { url, root, token } })
    expect(await identity.endOf((await signOut()).redirect)).toMatchObject({ returnTo: `${root}/~recto/signed-out` })
    await expect(lookUp(token)).rejects.toMatchObject(refused)
    await expect(lookUp(elsewhere, false, other)).rejects.toMatchObject(refused)
    await update({ logoutURL: 'https://acme.test/bye' })
    expect(await identity.endOf((await signOut()).redirect)).toMatchObject({ returnTo: 'https://acme.test/bye' })
  })

  it('is signed out at the installation, also where the site knows nothing of the browser', async () => {
    const { url, root } = place
    const { redirect } = await publishing.anonymous.endVisitorSession({ body: { url, root } })
    expect(redirect).toMatch(`${publicUrl}/oauth/visits/end?request=`)
    expect(await identity.endOf(redirect)).toMatchObject({ returnTo: `${root}/~recto/signed-out` })
  })

  it('opens no other site', async () => {
    const other = await aSite()
    await expect(lookUp(await signIn(), false, other)).rejects.toMatchObject(refused)
  })
})

describe('how a site signs visitors in', () => {
  it('is one of two, and is changed to the other in one request', async () => {
    await expect(update({ oidc })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'body.oidc' })],
    })
    const token = await signIn()
    expect(await update({ oidc, members: null })).toMatchObject({ oidc: { issuer: oidc.issuer } })
    await expect(lookUp(token)).rejects.toMatchObject(refused)
    await expect(update({ members: {} })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'body.members' })],
    })
    const changed = await update({ oidc: null, members: { claims: { mail: 'email' } } })
    expect(changed).toMatchObject({ members: { claims: { mail: 'email' } } })
    expect(changed).not.toHaveProperty('oidc')
    expect(await creator().getSitePublishingAuthById({ params: place.params })).toEqual(changed)
  })

  it.each([
    ['a claim that members do not have', { claims: { plan: 'plan' } }],
    ['a claim without proof', { claims: { unsigned: 'email' } }],
  ])('refuses %s, naming the field', async (_what, members) => {
    await expect(update({ members })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: expect.stringMatching(/^body\.members\.claims/) })],
    })
  })
})
