import { serve, type Bus } from '@recto/bus'
import { siteSettingCalls } from '@recto/contracts'
import { feature, type Output } from '@recto/operation'
import { createLog } from '@recto/telemetry'

type LinkedFiles = Output<typeof siteSettingCalls.listLinkedFiles>['files']

/** A responder on the bus in place of publishing: it answers what the customization of sites links to, from memory. */
export interface SiteResponder {
  /** By the id of the site. */
  linkedFiles: Map<string, LinkedFiles>
}

/** Starts the responder on a connection of publishing. */
export async function aSiteResponder(bus: Bus): Promise<SiteResponder> {
  const linkedFiles: SiteResponder['linkedFiles'] = new Map()
  const { handlers } = feature<unknown>()(siteSettingCalls, {
    listLinkedFiles: ({ body: { site } }) => Promise.resolve({ files: linkedFiles.get(site) ?? [] }),
  })
  const log = createLog({ service: 'publishing', level: 'silent' })
  serve(bus, { prefix: 'rpc', operations: siteSettingCalls, handlers, context: () => undefined, log, strict: true })
  await bus.connection.flush()
  return { linkedFiles }
}
