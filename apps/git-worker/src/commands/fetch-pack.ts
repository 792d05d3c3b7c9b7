import { open } from 'node:fs/promises'
import { encodeFetchRequest, receivePack, type ReceivedPack } from '@recto/git-pack'
import type { Outgoing, OutgoingReply } from '@recto/outgoing'
import { httpFailure, type Remote } from './discover.ts'

/** The request for a pack: one commit without history; with `haves`, the objects missing from these commits. */
export interface PackRequest {
  want: string
  haves: string[]
  shallow: string[]
  maxBytes: number
  timeoutMs: number
  signal: AbortSignal
  /** Called with the bytes so far. */
  onBytes?(bytes: number): void
}

/** Fetches one pack into a file, checking size and checksum while it arrives, so that it is never in memory as a whole. */
export async function fetchPack(
  outgoing: Outgoing,
  remote: Remote,
  wish: PackRequest & { path: string },
): Promise<ReceivedPack> {
  const { want, haves, shallow, maxBytes, timeoutMs, signal } = wish
  const reply = await outgoing.request({
    url: `${remote.url}/git-upload-pack${remote.query}`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
      ...(remote.authorization && { authorization: remote.authorization }),
    },
    body: encodeFetchRequest({ want, haves, shallow, capabilities: remote.capabilities, agent: 'recto' }),
    // receivePack counts the pack itself; this allows for the framing around it.
    maxBytes: maxBytes + maxBytes / 8 + 1024 * 1024,
    timeoutMs,
    signal,
  })
  return receive(reply, wish)
}

async function receive(reply: OutgoingReply, wish: PackRequest & { path: string }): Promise<ReceivedPack> {
  if (reply.status !== 200) throw httpFailure(reply.status)
  const file = await open(wish.path, 'w')
  try {
    return await receivePack(reply.body, wish, bytes => file.writeFile(bytes))
  } finally {
    await file.close()
  }
}
