import { OutgoingFailure } from './outgoing-failure.ts'
import type { Outgoing, OutgoingReply, OutgoingRequest } from './outgoing.ts'

/**
 * Requests the bytes of a resource as they are. Limits count bytes of the wire, so a server that compresses them all the same is
 * refused (`encoding`): what it sends could grow to any size.
 */
export async function requestPlain(
  outgoing: Pick<Outgoing, 'request'>,
  request: OutgoingRequest,
): Promise<OutgoingReply> {
  const headers = { accept: '*/*', ...request.headers, 'accept-encoding': 'identity' }
  const reply = await outgoing.request({ ...request, headers })
  if (isPlain(reply.headers['content-encoding'])) return reply
  await discardBody(reply)
  throw new OutgoingFailure(
    'encoding',
    `The server ${new URL(reply.url).host} compresses what was asked for uncompressed`,
  )
}

/** Ends a reply whose body is not wanted. */
export async function discardBody({ body }: Pick<OutgoingReply, 'body'>): Promise<void> {
  for await (const _chunk of body) break
}

function isPlain(encoding = ''): boolean {
  return encoding.split(',').every(name => ['', 'identity'].includes(name.trim().toLowerCase()))
}
