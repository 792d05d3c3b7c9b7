import { defaultSiteCalls, publishingCalls, siteAddressCalls, siteSettingCalls } from './calls.ts'

export * from './calls.ts'
export * from './events.ts'

/** Calls that publishing answers. */
export const publishingRpc = {
  ...publishingCalls,
  ...defaultSiteCalls,
  ...siteAddressCalls,
  ...siteSettingCalls,
}
