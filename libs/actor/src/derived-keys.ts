import { hkdfSync } from 'node:crypto'
import type { Secrets } from '@recto/operation'

/** Keys derived from secrets: the first signs, all of them verify. */
export type Keys = readonly [current: Uint8Array, ...former: Uint8Array[]]

/** The keys that were derived from secrets, by their purpose: a lookup needs them, and the secrets stay the same. */
const derived = new WeakMap<Secrets, Map<string, Keys>>()

/** Derives keys from secrets (HKDF, RFC 5869), which are valid for one purpose only. */
export function keysFor(secrets: Secrets, purpose: string): Keys {
  const cachedKeys = derived.get(secrets) ?? new Map<string, Keys>()
  derived.set(secrets, cachedKeys)
  const keys = cachedKeys.get(purpose) ?? deriveKeys(secrets, purpose)
  cachedKeys.set(purpose, keys)
  return keys
}

function deriveKeys([current, ...former]: Secrets, purpose: string): Keys {
  const derive = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
  return [derive(current), ...former.map(derive)]
}
