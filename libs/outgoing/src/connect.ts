import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import { buildConnector } from 'undici'
import type { AllowList } from './allow-list.ts'
import { findDestination, hostOf, portOf, type Resolve } from './destination.ts'

interface ConnectOptions {
  allow: AllowList
  resolve: Resolve
  timeoutMs: number
}

/** A connector that resolves, checks, and connects to the very addresses it checked: the name is never looked up again. */
export function pinnedConnector({ allow, resolve, timeoutMs }: ConnectOptions): buildConnector.connector {
  return (options, callback) => {
    findDestination(hostOf(options), portOf(options), { allow, resolve }).then(
      ({ addresses }) => {
        const connect = buildConnector({
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

/** Answers every look-up with the checked addresses; the name stays what TLS verifies. A literal address is connected to as it is. */
function pinnedLookup(addresses: [string, ...string[]]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    if (options.all) return callback(null, all)
    callback(null, addresses[0], isIPv6(addresses[0]) ? 6 : 4)
  }
}
