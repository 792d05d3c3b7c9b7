import { isIPv6 } from 'node:net'

/** Groups of an IPv6 address, and those of them that a network gives to one of its customers (RFC 6177). */
const groupCount = 8
const networkGroups = 4

/** The addresses that count as one: an IPv4 address, or the IPv6 network of 64 bits, of which whoever has one address has all. */
export function networkOf(address: string): string {
  const ip = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = new URL(`http://[${ip.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::')
  const first = groupsOf(head)
  const last = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: groupCount - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, networkGroups).join(':')}::/64`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
