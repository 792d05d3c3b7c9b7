import { encodeNegotiation, readCommonCommits, type CommonCommits, type ObjectStore } from '@recto/git-pack'
import type { Outgoing } from '@recto/outgoing'
import type { Content } from './export-content.ts'
import { withImportFailures } from '../failures/pack-failure.ts'
import type { Remote } from '../remote/discover.ts'
import { postUploadPack } from '../remote/fetch-pack.ts'
import { commitsFrom } from './pushed-base.ts'

type Candidate = Content['candidates'][number]

/** A commit that a server has, and what it is asked about. */
interface Asked {
  outgoing: Outgoing
  remote: Remote
  /** The tip that the server named. */
  oid: string
  timeoutMs: number
  signal: AbortSignal
}

/** Acknowledgements of a few commits are small. */
const maxAnswerBytes = 64 * 1024

/**
 * The first candidate whose commit the history of a tip has; else the first whose commit the repository has, which is of another branch
 * then. The clone says so for the commits that it knows, the server for others. Undefined when the repository has none of them.
 */
export async function findCommonBase(
  candidates: readonly Candidate[],
  { store, ...asked }: Asked & { store: ObjectStore },
): Promise<Candidate | undefined> {
  const [best] = candidates
  if (!best) return undefined
  const near = new Set<string>()
  for await (const oid of commitsFrom(store, asked.oid)) near.add(oid)
  if (near.has(best.commit)) return best
  const isNear = ({ commit }: Candidate) => near.has(commit)
  const { common } = await negotiate(asked, [...new Set(candidates.map(({ commit }) => commit))])
  const known = candidates.filter(candidate => isNear(candidate) || common.has(candidate.commit))
  for (const candidate of known)
    if (isNear(candidate) || (await negotiate(asked, [candidate.commit])).isAncestor) return candidate
  return known[0] && { ...known[0], isSameBranch: false }
}

/** Asks a server which commits it has, and whether the tip has one of them in its history. */
async function negotiate(
  { outgoing, remote, oid: want, timeoutMs, signal }: Asked,
  haves: string[],
): Promise<CommonCommits> {
  const body = encodeNegotiation({ want, haves, capabilities: remote.capabilities, agent: 'recto' })
  const reply = await postUploadPack(outgoing, remote, { body, maxBytes: maxAnswerBytes, timeoutMs, signal })
  return withImportFailures(() => readCommonCommits(reply.body))
}
