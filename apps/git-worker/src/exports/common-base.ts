import { encodeNegotiation, readCommonCommits, type CommonCommits, type ObjectStore } from '@recto/git-pack'
import type { Outgoing } from '@recto/outgoing'
import type { Content } from '@recto/repository-export'
import { withImportFailures } from '../failures/pack-failure.ts'
import type { Remote } from '../remote/discover.ts'
import { postUploadPack } from '../remote/fetch-pack.ts'
import { commitsFrom } from './pushed-base.ts'

type Candidate = Content['candidates'][number]

/** A server and its commit, for a negotiation of common commits. */
interface Negotiation {
  outgoing: Outgoing
  remote: Remote
  /** The tip of the branch on the server. */
  oid: string
  timeoutMs: number
  signal: AbortSignal
}

/** Acknowledgements of a few commits are small. */
const maxReplyBytes = 64 * 1024

/**
 * Returns the first candidate whose commit is in the history of a tip; else the first whose commit is elsewhere in the repository, as one of
 * another branch. The clone answers for the commits that it has, the server for others. Undefined when the repository has none of them.
 */
export async function findCommonBase(
  candidates: readonly Candidate[],
  { store, ...negotiation }: Negotiation & { store: ObjectStore },
): Promise<Candidate | undefined> {
  const [best] = candidates
  if (!best) return undefined
  const near = new Set<string>()
  for await (const oid of commitsFrom(store, negotiation.oid)) near.add(oid)
  if (near.has(best.commit)) return best
  const isNear = ({ commit }: Candidate) => near.has(commit)
  const { common } = await negotiate(negotiation, [...new Set(candidates.map(({ commit }) => commit))])
  const commonCandidates = candidates.filter(candidate => isNear(candidate) || common.has(candidate.commit))
  for (const candidate of commonCandidates)
    if (isNear(candidate) || (await negotiate(negotiation, [candidate.commit])).isAncestor) return candidate
  return commonCandidates[0] && { ...commonCandidates[0], isSameBranch: false }
}

/** Asks a server which commits it has, and whether the tip has one of them in its history. */
async function negotiate(
  { outgoing, remote, oid: want, timeoutMs, signal }: Negotiation,
  haves: string[],
): Promise<CommonCommits> {
  const body = encodeNegotiation({ want, haves, capabilities: remote.capabilities, agent: 'recto' })
  const reply = await postUploadPack(outgoing, remote, { body, maxBytes: maxReplyBytes, timeoutMs, signal })
  return withImportFailures(() => readCommonCommits(reply.body))
}
