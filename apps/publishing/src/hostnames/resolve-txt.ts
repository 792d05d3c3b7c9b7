import { Resolver } from 'node:dns/promises'
import type { TxtRecords } from './hostname-proof.rules.ts'

/** Reads the TXT records at a name. */
export type ResolveTxt = (name: string) => Promise<TxtRecords>

const nothingThere = ['ENOTFOUND', 'ENODATA']

/** Asks these DNS servers (`address:port`), or those of the system. */
export function txtResolver(servers: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async name => {
    try {
      return (await resolver.resolveTxt(name)).map(chunks => chunks.join(''))
    } catch (error) {
      return nothingThere.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined
    }
  }
}
