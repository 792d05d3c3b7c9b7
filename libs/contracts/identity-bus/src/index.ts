import { identityCalls, peopleCalls } from './bus.ts'
import { visitCalls } from './visit-calls.ts'

export * from './bus.ts'
export * from './visit-calls.ts'

/** Calls that identity answers. */
export const identityRpc = {
  ...identityCalls,
  ...peopleCalls,
  ...visitCalls,
}
