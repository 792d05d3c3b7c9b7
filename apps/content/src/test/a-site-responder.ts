import { serve, type Bus } from '@recto/bus'
import { publishingCalls, siteAddressCalls, siteSettingCalls } from '@recto/contracts-publishing-bus'
import { feature, type Output } from '@recto/operation'
import { createLog } from '@recto/telemetry'

type LinkedFiles = Output<typeof siteSettingCalls.listLinkedFiles>['files']
type Address = Output<typeof siteAddressCalls.findAddresses>['addresses'][number]

/** A responder on the bus in place of publishing: it replies from memory with the files of customizations and the addresses of spaces. */
export interface SiteResponder {
  /** By the id of the site. */
  linkedFiles: Map<string, LinkedFiles>
  /** The addresses of public sites, which everybody finds, and those of the sites of visitors, by the id of the site. */
  /** The ids of the sites that there are, in every organization. */
  existing: Set<string>
  addresses: { public: Address[]; ofSite: Map<string, Address[]> }
}

/** Starts the responder on a connection of publishing. */
export async function aSiteResponder(bus: Bus): Promise<SiteResponder> {
  const linkedFiles: SiteResponder['linkedFiles'] = new Map()
  const addresses: SiteResponder['addresses'] = { public: [], ofSite: new Map() }
  const existing = new Set<string>()
  const { findSite } = publishingCalls
  const operations = { ...siteSettingCalls, ...siteAddressCalls, findSite }
  const { handlers } = feature<unknown>()(operations, {
    listLinkedFiles: ({ body: { site } }) => Promise.resolve({ files: linkedFiles.get(site) ?? [] }),
    findSite: ({ body: { site } }) => Promise.resolve({ exists: existing.has(site) }),
    findAddresses: ({ body: { spaces, visitor } }) => {
      const candidates = [...(addresses.ofSite.get(visitor?.site ?? '') ?? []), ...addresses.public]
      const spaceAddresses = spaces.map(id => candidates.find(({ space }) => space === id))
      return Promise.resolve({ addresses: spaceAddresses.filter(address => address !== undefined) })
    },
  })
  const log = createLog({ service: 'publishing', level: 'silent' })
  serve(bus, { prefix: 'rpc', operations, handlers, context: () => undefined, log, strict: true })
  await bus.connection.flush()
  return { linkedFiles, existing, addresses }
}
