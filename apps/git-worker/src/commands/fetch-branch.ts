import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outgoing } from '@recto/outgoing'
import { tipOf } from '../models/branches.ts'
import type { Limits } from '../models/limits.ts'
import { addPack, clearRepository, prepareRepository, readState } from './bare-repository.ts'
import { discover, type Source } from './discover.ts'
import { fetchPack } from './fetch-pack.ts'
import { indexPack } from './index-pack.ts'
import { PackReader, readAhead } from './pack-reader.ts'

/** Which branch to bring into a clone. */
export interface BranchRequest {
  source: Source
  ref: string
  limits: Limits
  signal: AbortSignal
  onBytes?(bytes: number): void
}

/** The tip of the branch, now in the clone. */
export interface FetchedBranch {
  oid: string
  /** The fetch relied on what the clone had before. */
  incremental: boolean
  /** Objects over the limit were left out. */
  skipped: boolean
  /** Bytes that came over the wire as a pack. */
  bytes: number
}

/** After this many packs a clone starts from nothing again. */
const maxPacks = 8

/** Brings the tip of one branch into a clone, without history. What the clone has is not fetched again. */
export async function fetchBranch(outgoing: Outgoing, gitdir: string, request: BranchRequest): Promise<FetchedBranch> {
  await prepareRepository(gitdir)
  const remote = await discover(outgoing, request.source, request.signal)
  const oid = tipOf(remote.refs, request.ref)
  const before = await readState(gitdir)
  if ([...before.tips.values()].includes(oid)) return { oid, incremental: true, skipped: false, bytes: 0 }
  if (before.packs >= maxPacks) await clearRepository(gitdir)
  const state = before.packs >= maxPacks ? await readState(gitdir) : before
  const haves = [...new Set(state.tips.values())]
  const path = join(gitdir, 'incoming.pack')
  try {
    const { maxPack: maxBytes, fetchTimeoutMs: timeoutMs } = request.limits
    const wish = { want: oid, haves, shallow: state.shallow, maxBytes, timeoutMs, signal: request.signal, path, ...(request.onBytes && { onBytes: request.onBytes }) }
    const pack = await fetchPack(outgoing, remote, wish)
    const { entries, skipped } = await index(path, request.limits)
    await addPack(gitdir, { path, sha: pack.sha, entries }, { ...state, tips: new Map(state.tips).set(request.ref, oid), shallow: pack.shallow })
    return { oid, incremental: haves.length > 0, skipped, bytes: pack.bytes }
  } finally {
    await rm(path, { force: true })
  }
}

async function index(path: string, limits: Limits) {
  const reader = await PackReader.open(path, readAhead)
  try {
    return await indexPack(reader, { maxObject: limits.maxFile, maxInflated: limits.maxPack * 8, maxObjects: 1_000_000 })
  } finally {
    await reader.close()
  }
}
