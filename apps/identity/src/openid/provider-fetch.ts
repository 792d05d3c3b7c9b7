import { type Outgoing, requestPlain } from '@recto/outgoing'
import type { CustomFetch } from 'openid-client'

const nullBodyStatuses = [204, 205, 304]

/** A fetch function over the client for foreign URLs: public addresses only, no redirects, limits of time and size. */
export function providerFetch(outgoing: Pick<Outgoing, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const reply = await requestPlain(outgoing, {
      url,
      method,
      headers,
      followsRedirects: false,
      ...(body && { body: textOf(body) }),
      ...(signal && { signal }),
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    const bytes = nullBodyStatuses.includes(reply.status) ? null : Buffer.concat(chunks)
    return new Response(bytes, { status: reply.status, headers: reply.headers })
  }
}

/** Token requests are forms; nothing else has a body here. */
function textOf(body: unknown): string {
  if (body instanceof URLSearchParams || typeof body === 'string') return body.toString()
  throw new TypeError('Only forms are sent to providers')
}
