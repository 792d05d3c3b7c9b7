import { sealVisitRequest, visitChallenge, visitPath, type VisitRequest } from '@recto/actor/visit-request'
import { busClient } from '@recto/bus'
import { visitCalls } from '@recto/contracts-identity-bus'
import type { Client } from '@recto/operation'
import type { FormBrowser, FormReply } from '@recto/testing'
import { aMember, anOrganization, type TestUser } from '../factories.ts'
import { aPublishingResponder, type PublishingResponder } from '../publishing-responder.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from './endpoint.ts'
import { locationOf } from './program.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const verifier = 'v'.repeat(43)

/** Where the site of the tests has browsers sent back to. */
export const redirectUri = 'https://docs.test/~recto/sign-in/callback'

/** An organization with a site that its members read, and what publishing asks identity about them. */
export interface VisitSetup {
  setup: OAuthSetup
  publishing: PublishingResponder
  visits: Client<typeof visitCalls>
  organization: { id: string; admin: TestUser }
  member: TestUser
  site: string
  /** The address to which a site sends a browser. */
  begin(change?: Partial<VisitRequest>, secretOfSeal?: string): Promise<string>
  /** Signs in at the page that a site leads to; resolves to where the browser is sent. */
  signIn(browser: FormBrowser, user: TestUser, change?: Partial<VisitRequest>): Promise<FormReply>
  redeem(code: string | null, change?: object): ReturnType<Client<typeof visitCalls>['redeemVisitCode']>
  /** The session of a user who has signed in for a site. */
  aSession(user: TestUser, browser?: FormBrowser): Promise<string>
  find(session: string, organizationId?: string): ReturnType<Client<typeof visitCalls>['findVisit']>
  stop(): Promise<void>
}

/** Starts identity with such an organization. */
export async function aVisitSetup(): Promise<VisitSetup> {
  const setup = await anOAuthSetup()
  const publishing = await aPublishingResponder(setup.identity)
  const bus = await setup.identity.connectAs('publishing')
  const visits = busClient(bus, visitCalls, { service: 'identity' })
  const organization = await anOrganization(setup.identity, { title: 'Acme' })
  const member = await aMember(setup.identity, organization.id, 'edit', { displayName: 'Grace' })
  const site = publishing.aSite(organization.id)
  const begin: VisitSetup['begin'] = async (change = {}, secretOfSeal = secret) => {
    const defaults = { organization: organization.id, site, host: 'docs.test', redirectUri, state: 'a-state' }
    const request = { ...defaults, challenge: visitChallenge(verifier), expiresAt: Date.now() + 60_000, ...change }
    const sealed = await sealVisitRequest(request, publicUrl, [secretOfSeal])
    return `${publicUrl}${visitPath}?${new URLSearchParams({ request: sealed })}`
  }
  const signIn: VisitSetup['signIn'] = async (browser, { token }, change = {}) => {
    const page = await browser.follow(await begin(change))
    return browser.submit(page, '/sign-in', { token })
  }
  const redeem: VisitSetup['redeem'] = (code, change = {}) =>
    visits.redeemVisitCode({
      body: { code: code ?? '', organization: organization.id, site, redirectUri, verifier, ...change },
    })
  return {
    setup,
    publishing,
    visits,
    organization,
    member,
    site,
    begin,
    signIn,
    redeem,
    async aSession(user, browser = setup.browser()) {
      const location = locationOf(await signIn(browser, user))
      return (await redeem(location.searchParams.get('code'))).member?.session ?? ''
    },
    find: (session, organizationId = organization.id) =>
      visits.findVisit({ body: { session, organization: organizationId } }),
    async stop() {
      await bus.drain()
      await publishing.stop()
      await setup.stop()
    },
  }
}
