import { contentApi } from '@recto/contracts-content'
import { contentEvents, contentRpc, lifecycleEvents } from '@recto/contracts-content-bus'
import { eventsApi } from '@recto/contracts-events'
import { gitWorkerApi } from '@recto/contracts-git-worker'
import { gitJobs, gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { identityApi, oauth, scim, wellKnown } from '@recto/contracts-identity'
import { identityEvents, identityRpc } from '@recto/contracts-identity-bus'
import { openApiSpecsApi } from '@recto/contracts-openapi-specs'
import { openApiSpecEvents, openApiSpecsRpc } from '@recto/contracts-openapi-specs-bus'
import { publishingApi } from '@recto/contracts-publishing'
import { recordEvents } from '@recto/contracts-shared'
import type { Protocol } from '@recto/operation'
import { publishingEvents, publishingRpc } from '@recto/contracts-publishing-bus'

export { absentBodyFields, absentFields, absentValues } from './absent-fields.ts'
export { absentPaths } from './absent-operations.ts'

/** Operations of the API by the service that answers: for the gateway, the API reference and tests of the whole. */
export const api = {
  identity: identityApi,
  content: contentApi,
  publishing: publishingApi,
  'openapi-specs': openApiSpecsApi,
  'git-worker': gitWorkerApi,
  events: eventsApi,
}

/** Protocols that standards define, whose rows are no operations of the API. */
export const protocols: readonly Protocol[] = [scim, oauth, wellKnown]

/** Calls between services, by the service that answers. */
export const calls = {
  identity: identityRpc,
  content: contentRpc,
  publishing: publishingRpc,
  'openapi-specs': openApiSpecsRpc,
  'git-worker': gitWorkerCalls,
}

/** Every event of the platform. */
export const allEvents = {
  ...identityEvents,
  ...contentEvents,
  ...lifecycleEvents,
  ...publishingEvents,
  ...openApiSpecEvents,
  ...recordEvents,
}

/** Every job of the platform. */
export const allJobs = { ...gitJobs }
