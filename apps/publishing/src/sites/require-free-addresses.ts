import type { Transaction } from '@recto/database'
import { fieldFault, Failure } from '@recto/operation'
import { partsOfAddress } from '../addresses/addresses.rules.ts'
import type { SiteRow } from './site.entity.ts'
import * as sites from './sites.repository.ts'
import { type ChosenAddresses, installationHosts, takenFields } from './taken-addresses.rules.ts'

/**
 * Throws `invalid_request` when a site wants a host of the installation, and `conflict` when another organization has an address that
 * it wants; keeps others from choosing addresses until the transaction ends.
 */
export async function requireFreeAddresses(
  tx: Transaction,
  { organizationId: organization }: SiteRow,
  {
    requestedAddresses,
    sitesUrl,
    requiresProof = false,
  }: {
    requestedAddresses: { [Field in keyof ChosenAddresses]?: string | null | undefined }
    sitesUrl: string
    requiresProof?: boolean
  },
): Promise<void> {
  const { hostname = null, proxy = null } = requestedAddresses
  if (hostname === null && proxy === null) return
  const chosen = { hostname, proxy }
  const [ofInstallation] = installationHosts(chosen, sitesUrl)
  if (ofInstallation)
    throw fieldFault(
      `body.${ofInstallation}`,
      'must be at a host of your own: here sites are published by their basename',
    )
  await sites.lockAddresses(tx)
  // Whoever proves a hostname gets it, so that one that another organization has is no conflict yet.
  const claimed = requiresProof ? { hostname: null, proxy } : chosen
  const hosts = [claimed.hostname, proxy].flatMap(address =>
    address === null ? [] : partsOfAddress(address).slice(0, 1),
  )
  const [taken] = takenFields(claimed, await sites.addressesAt(tx, { hosts, organization }))
  if (taken) throw new Failure('conflict', `body.${taken}: is taken`)
}
