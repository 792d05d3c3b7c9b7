import { createPrivateKey, X509Certificate } from 'node:crypto'

/** What requests are signed with, both PEM. */
export interface Signing {
  key: string
  certificate: string
}

/** Why a key and a certificate cannot sign requests; undefined when they can, and when there are none. */
export function signingFault({
  key,
  certificate,
}: { [Part in keyof Signing]: string | undefined }): string | undefined {
  if (key === undefined && certificate === undefined) return undefined
  if (key === undefined || certificate === undefined) return 'is needed with its certificate, and the other way round'
  try {
    const privateKey = createPrivateKey(key)
    if (privateKey.asymmetricKeyType !== 'rsa') return 'must be an RSA key'
    return new X509Certificate(certificate).checkPrivateKey(privateKey)
      ? undefined
      : 'must be the key of the certificate'
  } catch {
    return 'must be PEM, as must be the certificate'
  }
}
