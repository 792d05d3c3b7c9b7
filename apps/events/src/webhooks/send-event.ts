import { OutgoingFailure, type Outgoing } from '@recto/outgoing'
import type { DeliveryAttempt } from './webhook.entity.ts'

/** Characters of a reply that are kept. */
const keptReply = 500
/** Bytes of a reply that are read. */
const maxReply = 16_384

/** Sends a signed message to an endpoint; never throws but what aborts it. Redirects are not followed: an endpoint says its own address. */
export async function sendEvent(
  outgoing: Outgoing,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  signal?: AbortSignal,
): Promise<DeliveryAttempt> {
  const at = new Date()
  const started = performance.now()
  const timed = (result: Partial<DeliveryAttempt>): DeliveryAttempt => ({
    at: at.toISOString(),
    milliseconds: Math.round(performance.now() - started),
    ...result,
  })
  try {
    const reply = await outgoing.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Recto-Webhooks', ...headers },
      body: Buffer.from(body),
      followsRedirects: false,
      ...(signal && { signal }),
    })
    const text = await beginning(reply.body)
    return timed({ status: reply.status, ...(text !== '' && { reply: text }) })
  } catch (error) {
    if (signal?.aborted) throw error
    if (!(error instanceof OutgoingFailure)) throw error
    return timed({ error: error.message })
  }
}

/** The beginning of a reply as text. What follows is not read: an endpoint may answer without end. */
async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= maxReply) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxReply))
  return text.replaceAll('\0', '').slice(0, keptReply)
}
