import { createLog, createMetrics } from '@recto/telemetry'
import { afterEach } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from './publishing-setup.ts'

type Options = NonNullable<Parameters<typeof aPublishing>[1]>

/** A service that has others purge, with what it logs. */
export interface PurgeSetup extends PublishingSetup {
  logged: { level: string; message: string; details: object }[]
  metrics: ReturnType<typeof createMetrics>
}

/** Starts the service with times for tests, and keeps what it warns of. */
export async function aPurgeSetup(
  environment: Record<string, string>,
  times: Pick<Options, 'purgeTimes' | 'edgePurgeTimes'>,
): Promise<PurgeSetup> {
  const logged: PurgeSetup['logged'] = []
  const record = (level: string) => (details: object, message: string) =>
    void logged.push({ level, message, details: JSON.parse(JSON.stringify(details)) as object })
  const log = Object.assign(createLog({ service: 'publishing', level: 'silent' }), {
    warn: record('warn'),
    error: record('error'),
  })
  const metrics = createMetrics('publishing')
  return { ...(await aPublishing(environment, { log, metrics, ...times })), logged, metrics }
}

/** A site with a space, its tag, and a change of it. */
export async function aSite({ as, content }: PublishingSetup) {
  const space = content.aSpace('Manual')
  const site = await as('create').createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
  const params = { organizationId: organization, siteId: site.id }
  const rename = (title: string) => as('create').updateSiteById({ params, body: { title } })
  return { params, space, tag: `site:${site.id}`, rename }
}

/** Stops what each test of a file started, in the opposite order, when it has ended. */
export function stoppedAfterEach(): <Resource extends { stop(): Promise<void> }>(resource: Resource) => Resource {
  const resources: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    for (const resource of resources.splice(0)) await resource.stop()
  })
  return resource => (resources.unshift(resource), resource)
}
