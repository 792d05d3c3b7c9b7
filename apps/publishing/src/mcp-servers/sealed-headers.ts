import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '@recto/database'
import { openWith, type Secrets } from '@recto/operation'

/** Headers by their names. */
export type Headers = Readonly<Record<string, string>>

/** Encrypts the headers of a server for storage, with a key derived from the secret (HKDF, RFC 5869); they can be read for this server only. */
export function sealHeaders(headers: Headers, server: string, [secret]: Secrets): Buffer {
  return seal(JSON.stringify(Object.entries(headers)), { key: storageKey(secret), context: server })
}

/** Decrypts the headers of a server; throws when they were stored for another one, or under another secret. */
export function openHeaders({ id, headers }: { id: string; headers: Buffer }, secrets: Secrets): Headers {
  const entries = openWith(secrets, secret => unseal(headers, { key: storageKey(secret), context: id })).toString()
  return Object.fromEntries(JSON.parse(entries) as [string, string][])
}

function storageKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recto headers of mcp servers', 32))
}
