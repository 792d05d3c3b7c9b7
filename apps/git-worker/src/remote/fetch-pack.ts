import { open } from 'node:fs/promises'
import {
  encodeFetchCommand,
  encodeFetchRequest,
  type FetchCommand,
  receivePack,
  type ReceivedPack,
  type ReceiveOptions,
} from '@recto/git-pack'
import type { Outgoing, OutgoingReply } from '@recto/outgoing'
import { httpFailure, type Remote } from './discover.ts'
import { requestGit } from './git-request.ts'

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

/** Single objects, or a commit whose files are fetched later, from a server that speaks protocol version 2. */
export type ObjectsRequest = Omit<PackRequest, 'want'> & Pick<FetchCommand, 'wants' | 'withoutHistory' | 'withoutBlobs'>

/** Fetches objects into a file, with the same checks as `fetchPack`. */
export async function fetchObjects(
  outgoing: Outgoing,
  remote: Remote,
  wish: ObjectsRequest & { path: string },
): Promise<ReceivedPack> {
  const { wants, haves, shallow, withoutHistory, withoutBlobs } = wish
  const body = encodeFetchCommand({ wants, haves, shallow, withoutHistory, withoutBlobs, agent: 'recto' })
  const reply = await post(outgoing, remote, { ...wish, body, protocol: 'version=2' })
  return receive(reply, { ...wish, inSections: true })
}

/** Fetches one pack into a file, checking size and checksum while it arrives, so that it is never in memory as a whole. */
export async function fetchPack(
  outgoing: Outgoing,
  remote: Remote,
  wish: PackRequest & { path: string },
): Promise<ReceivedPack> {
  const { want, haves, shallow } = wish
  const body = encodeFetchRequest({ want, haves, shallow, capabilities: remote.capabilities, agent: 'recto' })
  return receive(await post(outgoing, remote, { ...wish, body }), wish)
}

type UploadPackRequest = Pick<PackRequest, 'maxBytes' | 'timeoutMs' | 'signal'> & { body: string; protocol?: string }

/** Sends a request to `git-upload-pack`, for an answer of at most so many bytes. Throws an `ImportFailure` for a status of failure. */
export async function postUploadPack(
  outgoing: Outgoing,
  remote: Remote,
  { body, protocol, maxBytes, timeoutMs, signal }: UploadPackRequest,
): Promise<OutgoingReply> {
  const reply = await requestGit(outgoing, {
    url: `${remote.url}/git-upload-pack${remote.query}`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
      ...(remote.authorization && { authorization: remote.authorization }),
      ...(protocol !== undefined && { 'git-protocol': protocol }),
    },
    body,
    maxBytes,
    timeoutMs,
    signal,
  })
  if (reply.status !== 200) throw httpFailure(reply.status)
  return reply
}

function post(outgoing: Outgoing, remote: Remote, wish: UploadPackRequest): Promise<OutgoingReply> {
  // receivePack counts the pack itself; this allows for the framing around it.
  const maxBytes = wish.maxBytes + wish.maxBytes / 8 + 1024 * 1024
  return postUploadPack(outgoing, remote, { ...wish, maxBytes })
}

async function receive(reply: OutgoingReply, wish: ReceiveOptions & { path: string }): Promise<ReceivedPack> {
  const file = await open(wish.path, 'w')
  try {
    return await receivePack(reply.body, wish, bytes => file.writeFile(bytes))
  } finally {
    await file.close()
  }
}
