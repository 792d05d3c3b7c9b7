import { identityCalls, peopleCalls } from './bus.ts'

export * from './bus.ts'

/** Calls that identity answers. */
export const identityRpc = {
  ...identityCalls,
  ...peopleCalls,
}
