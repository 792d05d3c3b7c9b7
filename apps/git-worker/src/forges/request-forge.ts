import type { Outgoing } from '@recto/outgoing'
import { toImportFailure } from '../failures/classify.ts'
import { type ForgeResult, readReply } from './forge-reply.rules.ts'
import type { ForgeRequest } from './status-request.rules.ts'

/** Milliseconds for one request to a forge. */
const timeoutMs = 10_000

/** The result of a request, and the body of the reply. */
interface ForgeAnswer {
  result: ForgeResult
  text: string
}

/** Sends a request to the API of a forge. Redirects are not followed, since they would take the token along. */
export async function requestForge(
  outgoing: Outgoing,
  { url, method, headers, body }: ForgeRequest,
  { signal, maxBytes = 64 * 1024 }: { signal: AbortSignal; maxBytes?: number },
): Promise<ForgeAnswer> {
  try {
    const reply = await outgoing.request({
      url,
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(body !== undefined && { body: Buffer.from(body) }),
      followsRedirects: false,
      timeoutMs,
      maxBytes,
      signal,
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { result: readReply({ status: reply.status, headers: reply.headers, text }, new Date()), text }
  } catch (error) {
    signal.throwIfAborted()
    const { message } = toImportFailure(error, 'request to the forge')
    return { result: { kind: 'away', message }, text: '' }
  }
}
