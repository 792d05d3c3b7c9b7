import { GitPackError } from './git-pack-error.ts'
import { flush, packet, readPackets } from './pkt-line.ts'

/** A question to a server that holds a commit: which of some others it has. */
export interface Negotiation {
  /** A commit that the server named in its refs. */
  want: string
  /** The commits in question, in order of preference. */
  haves: readonly string[]
  /** The capabilities that the server advertised. */
  capabilities: ReadonlySet<string>
  /** The client's name in the `agent` capability; no spaces. */
  agent: string
}

/** Commits that a server has; `isAncestor` says that the wanted commit has one of those that were asked for in its history. */
export interface CommonCommits {
  common: Set<string>
  isAncestor: boolean
}

/**
 * Encodes a round of negotiation of gitprotocol-pack(5), versions 0 and 1, that asks for no pack. A server without
 * `multi_ack_detailed` names one commit only, and never says that it is an ancestor.
 */
export function encodeNegotiation({ want, haves, capabilities, agent }: Negotiation): string {
  const requestedCapabilities = ['multi_ack_detailed', 'side-band-64k'].filter(name => capabilities.has(name))
  const lines = haves.map(oid => packet(`have ${oid}\n`))
  return [
    packet(`want ${want} ${[...requestedCapabilities, `agent=${agent}`].join(' ')}\n`),
    flush,
    ...lines,
    flush,
  ].join('')
}

/** Reads the acknowledgements of a negotiation. Throws a `GitPackError` (`remote_error`) for an error of the server. */
export async function readCommonCommits(answer: AsyncIterable<Uint8Array>): Promise<CommonCommits> {
  const common = new Set<string>()
  let isAncestor = false
  for await (const each of readPackets(answer)) {
    if (typeof each === 'string') continue
    const line = Buffer.from(each).toString('utf8').trim()
    if (line.startsWith('ERR '))
      throw new GitPackError('remote_error', 'The git server broke off while it compared commits')
    const [, oid, status] = /^ACK ([0-9a-f]{40})(?: (\w+))?$/.exec(line) ?? []
    if (oid === undefined) continue
    // A server says that it is ready for commits that it does not have, too.
    if (status === undefined || status === 'common') common.add(oid)
    if (status === 'ready') isAncestor = true
  }
  return { common, isAncestor }
}
