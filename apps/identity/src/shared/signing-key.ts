import { createPrivateKey, X509Certificate } from 'node:crypto'

/** The key that signs authentication requests, and its certificate; both PEM. */
export interface SigningKey {
  key: string
  certificate: string
}

/** Why a key and a certificate cannot sign requests; undefined when they can, or when both are absent. */
export function signingKeyFault({
  key,
  certificate,
}: { [Part in keyof SigningKey]: string | undefined }): string | undefined {
  if (key === undefined && certificate === undefined) return undefined
  if (key === undefined || certificate === undefined) return 'must be set together with SAML_SIGNING_CERTIFICATE'
  try {
    const privateKey = createPrivateKey(key)
    if (privateKey.asymmetricKeyType !== 'rsa') return 'must be an RSA key'
    return new X509Certificate(certificate).checkPrivateKey(privateKey)
      ? undefined
      : 'must be the private key of SAML_SIGNING_CERTIFICATE'
  } catch {
    return 'must be PEM, and so must SAML_SIGNING_CERTIFICATE'
  }
}
