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

/** A request for a pack: one commit without history; with `haves`, only the objects that these commits lack. */
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

/** A request for single objects, or for a commit without its files, from a server of protocol version 2. */
export type ObjectsRequest = Omit<PackRequest, 'want'> & Pick<FetchCommand, 'wants' | 'withoutHistory' | 'withoutBlobs'>

/** Fetches objects into a file, with the same checks as `fetchPack`. */
export async function fetchObjects(
  outgoing: Outgoing,
  remote: Remote,
  request: ObjectsRequest & { path: string },
): Promise<ReceivedPack> {
  const { wants, haves, shallow, withoutHistory, withoutBlobs } = request
  const body = encodeFetchCommand({ wants, haves, shallow, withoutHistory, withoutBlobs, agent: 'recto' })
  const reply = await post(outgoing, remote, { ...request, body, protocol: 'version=2' })
  return receive(reply, { ...request, inSections: true })
}

/** Streams one pack into a file, with checks of size and checksum, so that it is never in memory as a whole. */
export async function fetchPack(
  outgoing: Outgoing,
  remote: Remote,
  request: PackRequest & { path: string },
): Promise<ReceivedPack> {
  const { want, haves, shallow } = request
  const body = encodeFetchRequest({ want, haves, shallow, capabilities: remote.capabilities, agent: 'recto' })
  return receive(await post(outgoing, remote, { ...request, body }), request)
}

type UploadPackRequest = Pick<PackRequest, 'maxBytes' | 'timeoutMs' | 'signal'> & { body: string; protocol?: string }

/** Sends a request to `git-upload-pack`, for a reply of at most `maxBytes`. Throws an `ImportFailure` for a status other than 200. */
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

function post(outgoing: Outgoing, remote: Remote, request: UploadPackRequest): Promise<OutgoingReply> {
  // receivePack counts the pack itself; this allows for the framing around it.
  const maxBytes = request.maxBytes + request.maxBytes / 8 + 1024 * 1024
  return postUploadPack(outgoing, remote, { ...request, maxBytes })
}

async function receive(reply: OutgoingReply, options: ReceiveOptions & { path: string }): Promise<ReceivedPack> {
  const file = await open(options.path, 'w')
  try {
    return await receivePack(reply.body, options, bytes => file.writeFile(bytes))
  } finally {
    await file.close()
  }
}
