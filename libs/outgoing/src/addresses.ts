import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3')

/** Public by the IANA registries, but internal to a cloud: Azure's WireServer. */
const cloudMetadataAddresses = ['168.63.129.16']

/** Parses an IP address in canonical form; undefined for a host name or an address with a zone. */
export function parseAddress(host: string): Address | undefined {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (bare.includes('%')) return undefined
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.IPv6.parse(bare) : undefined
}

/**
 * Tells whether an address is reachable on the public internet by the IANA special-purpose registries.
 * IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) never are.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (!address || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6') return address.match(globalUnicastV6)
  return !cloudMetadataAddresses.includes(address.toString())
}
