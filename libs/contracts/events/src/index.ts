import { audit } from './audit.ts'
import { feed } from './feed.ts'
import { webhooks } from './webhooks.ts'

export * from './audit.ts'
export * from './feed.ts'
export * from './webhooks.ts'

/** Operations of the API that events answers. */
export const eventsApi = {
  ...feed,
  ...audit,
  ...webhooks,
}
