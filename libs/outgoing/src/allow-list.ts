import ipaddr from 'ipaddr.js'
import { parseAddress } from './addresses.ts'

/** Exceptions to the address rules: host names and addresses, with port, that may be reached although not public. */
export interface AllowList {
  allowsName(host: string, port: number): boolean
  allowsAddress(address: string, port: number): boolean
}

interface Entry {
  host: string
  port: number | undefined
}

/** Reads `OUTGOING_ALLOW`: hosts, `host:port`, addresses and CIDR blocks, separated by commas. Throws on an entry that is none of them. */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(',')
    .map(part => part.trim().toLowerCase())
    .filter(Boolean)
  const blocks = entries.filter(entry => entry.includes('/')).map(parseBlock)
  const hosts = entries.filter(entry => !entry.includes('/')).map(parseHost)
  const isListed = (host: string, port: number) =>
    hosts.some(entry => entry.host === host && (entry.port === undefined || entry.port === port))
  return {
    allowsName: (host, port) => isListed(host.toLowerCase(), port),
    allowsAddress(text, port) {
      const address = parseAddress(text)
      if (!address) return false
      return (
        isListed(address.toString(), port) ||
        blocks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
      )
    },
  }
}

function parseBlock(entry: string) {
  if (!ipaddr.isValidCIDR(entry)) throw new Error(`OUTGOING_ALLOW: "${entry}" is not a CIDR block`)
  return ipaddr.parseCIDR(entry)
}

function parseHost(entry: string): Entry {
  const literal = parseAddress(entry)
  if (literal) return { host: literal.toString(), port: undefined }
  const parts = /^(\[[^\]]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/.exec(entry)
  const host = parts?.[1]
  if (!host) throw new Error(`OUTGOING_ALLOW: "${entry}" is not a host, host:port, address or CIDR block`)
  return { host: parseAddress(host)?.toString() ?? host, port: parts[2] === undefined ? undefined : Number(parts[2]) }
}
