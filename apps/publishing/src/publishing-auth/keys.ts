import { randomBytes } from 'node:crypto'
import { sealerFor } from '@recto/database'

/** Makes the key that signs the tokens of a site's visitors. */
export function newSiteKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Encrypts the keys of sites for storage; the context is the id of the site. */
export const siteKeys = sealerFor('recto keys of sites')

/** Encrypts the secrets with which sites are clients of their OpenID providers; the context is the id of the site. */
export const clientSecrets = sealerFor('recto secrets of openid clients')
