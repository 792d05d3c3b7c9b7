import { serve } from '@recto/bus'
import { publishingCalls } from '@recto/contracts-publishing-bus'
import { createId, feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import type { IdentitySetup } from './identity-setup.ts'

/** A stand-in for the publishing service on the bus, which answers the calls of identity by their contract. */
export interface PublishingResponder {
  /** Creates a site and returns its id. */
  aSite(organization: string): string
  stop(): Promise<void>
}

/** Connects it to the bus of a setup. */
export async function aPublishingResponder(identity: IdentitySetup): Promise<PublishingResponder> {
  const sites = new Map<string, string>()
  const bus = await identity.connectAs('publishing')
  const { handlers } = feature<undefined>()(publishingCalls, {
    async listClosedSites() {
      return { sites: [] }
    },
    async findSite({ body: { organization, site } }) {
      return { exists: sites.get(site) === organization }
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
    operations: publishingCalls,
    handlers,
    context: () => undefined,
    log: createLog({ service: 'publishing', level: 'silent' }),
    strict: true,
  })
  await bus.connection.flush()
  return {
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
