import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import type { buildConnector } from 'undici'
import type { AllowList } from './allow-list.ts'
import { findDestination, hostOf, portOf, type Resolve } from './destination.ts'

/** Where connections may lead, and how long one may take to be made. */
export interface ConnectOptions {
  allow: AllowList
  resolve: Resolve
  timeoutMs: number
}

/** Creates a connector that resolves a host once, checks the addresses, and connects to those only (against DNS rebinding). */
export function pinnedConnector(
  build: typeof buildConnector,
  { allow, resolve, timeoutMs }: ConnectOptions,
): buildConnector.connector {
  return (options, callback) => {
    findDestination(hostOf(options), portOf(options), { allow, resolve }).then(
      ({ addresses }) => {
        const connect = build({
          timeout: timeoutMs,
          lookup: pinnedLookup(addresses),
          autoSelectFamily: addresses.length > 1,
        })
        connect(options, callback)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** Creates a lookup function that returns the checked addresses; TLS still verifies the name. */
function pinnedLookup(addresses: [string, ...string[]]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    if (options.all) return callback(null, all)
    callback(null, addresses[0], isIPv6(addresses[0]) ? 6 : 4)
  }
}
