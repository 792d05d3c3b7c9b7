import { serve, type Bus } from '@recto/bus'
import { publishingCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'

interface TestLink {
  key: string
  site: string
  spaces: string[]
}

/** Replies for publishing, on its connection, with share links. */
export async function aLinkResponder(bus: Bus): Promise<{ add(link: TestLink): void; stop(): Promise<void> }> {
  const links: TestLink[] = []
  const { handlers } = feature<unknown>()(publishingCalls, {
    listClosedSites: async () => ({ sites: [] }),
    findSite: async () => ({ exists: false }),
    countSites: async () => ({ members: {} }),
    async findShareLink({ body: { key, space, site: siteId } }) {
      const link = links.find(link => link.key === key && link.spaces.includes(space))
      return link && (siteId ?? link.site) === link.site ? { site: link.site } : {}
    },
  })
  const log = createLog({ service: 'publishing', level: 'silent' })
  const serving = serve(bus, { prefix: 'rpc', operations: publishingCalls, handlers, context: () => undefined, log, strict: true }) // prettier-ignore
  await bus.connection.flush()
  return { add: link => void links.push(link), stop: () => serving.stop() }
}
