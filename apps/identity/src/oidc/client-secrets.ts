import { sealerFor } from '@recto/database'

/** Encrypts the client secrets of OpenID providers for storage; the context is the id of the provider. */
export const clientSecrets = sealerFor('recto client secrets of openid providers')
