import { defaultSiteCalls, publishingCalls, siteAddressCalls, siteSettingCalls, siteVisitCalls } from './calls.ts'
import { siteReaderCalls } from './reader-calls.ts'

export * from './calls.ts'
export * from './events.ts'
export * from './reader-calls.ts'

/** Calls that publishing answers. */
export const publishingRpc = {
  ...publishingCalls,
  ...defaultSiteCalls,
  ...siteAddressCalls,
  ...siteSettingCalls,
  ...siteReaderCalls,
  ...siteVisitCalls,
}
