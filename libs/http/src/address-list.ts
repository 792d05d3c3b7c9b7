import { BlockList, isIP } from 'node:net'

/** Whether an address is in a list; one that is not known is not. */
export type AddressCheck = (address: string | undefined) => boolean

/** Makes the check of a list of IP addresses and CIDR blocks (RFC 4632, RFC 4291). An IPv4 address counts as that when it is mapped into IPv6. */
export function addressCheck(entries: readonly string[]): AddressCheck {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const family = familyOf(network)
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return address => address !== undefined && isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
