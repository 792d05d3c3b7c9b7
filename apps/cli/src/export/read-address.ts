/** How much of an answer is read, and for how long nothing of it may come. */
export interface BodyLimits {
  maxBytes: number
  /** Milliseconds between two pieces, at most. */
  idleMs: number
  signal: AbortSignal
}

/** An answer that was read to its end. */
export interface SiteResponse {
  status: number
  ok: boolean
  headers: Headers
  bytes: Buffer
}

/**
 * Reads an address of a site, without following it elsewhere. Throws for one that does not answer, or with more than the limit. Bytes
 * are asked for as they are: the decompression of `fetch` takes time that grows with the square of their number.
 */
export async function readAddress(url: URL, { maxBytes, idleMs, signal }: BodyLimits): Promise<SiteResponse> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(new Error(`nothing came for ${idleMs / 1_000} seconds`)), idleMs)
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'identity', 'user-agent': 'Recto' }
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, idle.signal]),
      headers,
    })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      timer.refresh()
      length += chunk.length
      if (length > maxBytes) throw new Error(`it has more than ${Math.round(maxBytes / 1024 / 1024)} MB`)
      chunks.push(chunk)
    }
    return { status: response.status, ok: response.ok, headers: response.headers, bytes: Buffer.concat(chunks) }
  } finally {
    clearTimeout(timer)
  }
}
