import { basenameIn, partsOfAddress } from '../addresses/addresses.rules.ts'

/** The addresses that people choose for a site: its hostname, and the host and path of its proxy. */
export interface ChosenAddresses {
  hostname: string | null
  proxy: string | null
}

type Field = keyof ChosenAddresses

/** The fields that name a host at which the installation publishes sites by their basename, which is nobody's to choose. */
export function installationHosts(addresses: Partial<ChosenAddresses>, sitesUrl: string): Field[] {
  return fieldsOf(addresses).filter(field => basenameIn(partsOfAddress(addresses[field] ?? '')[0] ?? '', sitesUrl))
}

/**
 * The fields whose address another organization has, so that visitors of one would come to a site of the other:
 *
 * | wanted            | another organization has                           | taken |
 * | ----------------- | -------------------------------------------------- | ----- |
 * | hostname          | the same, or a proxy at this host                  | yes   |
 * | proxy             | its host as a hostname                             | yes   |
 * | proxy             | the same, a path below it, or one that it is below | yes   |
 * | proxy             | another path at this host                          | no    |
 *
 * Sites of one organization may be below each other: the nearest one is shown.
 */
export function takenFields(addresses: Partial<ChosenAddresses>, others: readonly ChosenAddresses[]): Field[] {
  const theirs = others.flatMap(other => fieldsOf(other).map(field => partsOfAddress(other[field] ?? '')))
  return fieldsOf(addresses).filter(field => {
    const own = partsOfAddress(addresses[field] ?? '')
    return theirs.some(parts => isBelow(own, parts) || isBelow(parts, own))
  })
}

function fieldsOf(addresses: Partial<ChosenAddresses>): Field[] {
  return (['hostname', 'proxy'] as const).filter(field => typeof addresses[field] === 'string')
}

/** Whether an address is the other one, or below it. */
function isBelow(parts: readonly string[], other: readonly string[]): boolean {
  return other.every((part, at) => parts[at] === part)
}
