import { serve } from '@recto/bus'
import { defaultSiteCalls, publishingCalls, siteReaderCalls, siteVisitCalls } from '@recto/contracts-publishing-bus'
import { createId, Failure, feature, type Input } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import type { IdentitySetup } from './identity-setup.ts'

/** A stand-in for the publishing service on the bus, which answers the calls of identity by their contract. */
export interface PublishingResponder {
  /** Creates a site and returns its id. */
  aSite(organization: string): string
  /** The requests for default sites. */
  defaultSites: Input<typeof defaultSiteCalls.createDefaultSite>['body'][]
  /** Hides all sites from a user. */
  hideFrom(user: string): void
  /** Makes the next request for a default site fail. */
  failNext(): void
  stop(): Promise<void>
}

/** Connects it to the bus of a setup. */
export async function aPublishingResponder(identity: IdentitySetup): Promise<PublishingResponder> {
  const sites = new Map<string, string>()
  const bus = await identity.connectAs('publishing')
  const defaultSites: PublishingResponder['defaultSites'] = []
  const hiddenFrom = new Set<string>()
  let fails = false
  const operations = { ...publishingCalls, ...defaultSiteCalls, ...siteReaderCalls, ...siteVisitCalls }
  const { handlers } = feature<undefined>()(operations, {
    async createDefaultSite({ body }) {
      if (fails) {
        fails = false
        throw new Failure('conflict', 'There can be no site')
      }
      defaultSites.push(body)
      const site = createId()
      sites.set(site, body.organization)
      return { site }
    },
    async listClosedSites() {
      return { sites: [] }
    },
    async findReadableSites({ body: { organization, sites: ids } }) {
      const readable = ids.filter(id => sites.get(id) === organization)
      return { sites: readable.map(id => ({ id, role: 'read' as const })) }
    },
    async findSite({ body: { organization, site } }) {
      return { exists: sites.get(site) === organization }
    },
    async checkVisit({ body: { organization, site, member } }) {
      return { isVisible: sites.get(site) === organization && !hiddenFrom.has(member.user) }
    },
    async countSites({ body: { organization, members } }) {
      const count = [...sites.values()].filter(owner => owner === organization).length
      return { members: Object.fromEntries(members.map(({ user }) => [user, count])) }
    },
    async findShareLink() {
      return {}
    },
  })
  const serving = serve(bus, {
    prefix: 'rpc',
    operations,
    handlers,
    context: () => undefined,
    log: createLog({ service: 'publishing', level: 'silent' }),
    strict: true,
  })
  await bus.connection.flush()
  return {
    defaultSites,
    failNext: () => void (fails = true),
    hideFrom: user => void hiddenFrom.add(user),
    aSite: organization => {
      const id = createId()
      sites.set(id, organization)
      return id
    },
    stop: async () => {
      await serving.stop()
      await bus.drain()
    },
  }
}
