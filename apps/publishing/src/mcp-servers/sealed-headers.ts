import { sealerFor } from '@recto/database'
import type { Secrets } from '@recto/operation'

/** Headers by their names. */
export type Headers = Readonly<Record<string, string>>

const sealer = sealerFor('recto headers of mcp servers')

/** Encrypts the headers of a server for storage; they can be read for this server only. */
export function sealHeaders(headers: Headers, server: string, secrets: Secrets): Buffer {
  return sealer.seal(JSON.stringify(Object.entries(headers)), server, secrets)
}

/** Decrypts the headers of a server; throws when they were stored for another one, or under another secret. */
export function openHeaders({ id, headers }: { id: string; headers: Buffer }, secrets: Secrets): Headers {
  return Object.fromEntries(JSON.parse(sealer.unseal(headers, id, secrets)) as [string, string][])
}

/** The headers of a server; undefined where the secret that encrypted them is lost, so that they must be given anew. */
export function readableHeaders(row: { id: string; headers: Buffer }, secrets: Secrets): Headers | undefined {
  try {
    return openHeaders(row, secrets)
  } catch {
    return undefined
  }
}
