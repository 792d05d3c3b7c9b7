import { hkdfSync } from 'node:crypto'
import type { Secrets } from '@recto/operation'

/** The key that proves which page has sent a form. After the secret of the installation has changed, pages that are open must be loaded again. */
export function interactionKey([current]: Secrets): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', current, '', 'recto forms of the oauth server', 32))
}
