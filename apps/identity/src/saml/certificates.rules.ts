import { X509Certificate, type KeyObject } from 'node:crypto'

/** A certificate whose signatures can be verified: the type of its key, and the public key as PEM. */
export interface Certificate {
  kind: 'rsa' | 'ec'
  publicKey: string
}

/** One certificate of a text, or why it cannot be used. */
type CertificateResult = { certificate: Certificate } | { fault: string }

const minRsaBits = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const labelPattern = /-----BEGIN ([^-]*)-----/g
const certificatePattern = /^-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/

/** The usable certificates of a text; an identity provider may list its next or previous one as well. */
export function usableCertificates(text: string): Certificate[] {
  return readCertificates(text).flatMap(one => ('certificate' in one ? [one.certificate] : []))
}

/** Why the certificates of a text cannot be accepted; undefined when they can. */
export function certificateFault(text: string): string | undefined {
  // The text is shown to every admin of the organization.
  if (pemLabels(text).some(label => label.includes('PRIVATE KEY'))) return 'must not contain a private key'
  const all = readCertificates(text)
  const at = all.findIndex(one => 'fault' in one)
  const certificate = all[at]
  if (!certificate || !('fault' in certificate)) return undefined
  return all.length === 1 ? certificate.fault : `certificate ${at + 1} of ${all.length} ${certificate.fault}`
}

function readCertificates(text: string): CertificateResult[] {
  return pemLabels(text).length > 0 ? splitPem(text).map(readPem) : splitBase64(text).map(readBase64)
}

function pemLabels(text: string): string[] {
  return [...text.matchAll(labelPattern)].map(([, name = '']) => name)
}

/** The PEM blocks without the text between them; an empty string for each incomplete certificate. */
function splitPem(text: string): string[] {
  const pieces = text.split(/(?=-----BEGIN )/).filter(piece => piece.startsWith('-----BEGIN '))
  return pieces.map(piece => certificatePattern.exec(piece)?.[0] ?? '')
}

/** Splits base64 of DER certificates that are separated by an empty line, a comma or a semicolon, or have one line each. */
function splitBase64(text: string): string[] {
  const parts = text
    .split(/[,;]|\r?\n[ \t]*\r?\n/)
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts.length === 0 ? [text] : parts.flatMap(part => (isCertificate(part) ? [part] : splitLines(part)))
}

function splitLines(part: string): string[] {
  const lines = part.split(/\s+/)
  return lines.some(isCertificate) ? lines : [part]
}

function isCertificate(body: string): boolean {
  return parseX509(decodeBase64(body)) !== undefined
}

function readPem(pem: string): CertificateResult {
  return checkKey(parseX509(pem))
}

function readBase64(body: string): CertificateResult {
  return checkKey(parseX509(decodeBase64(body)))
}

function decodeBase64(body: string): Buffer {
  const base64 = body.replaceAll(/\s/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0)
}

function parseX509(certificate: string | Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    return undefined
  }
}

/** The validity period is ignored: the certificate is pinned, and identity providers keep using expired ones. */
function checkKey(certificate: X509Certificate | undefined): CertificateResult {
  if (!certificate) return { fault: 'cannot be parsed: it must be PEM, or DER in base64' }
  const { publicKey } = certificate
  const fault = keyFault(publicKey)
  if (fault) return { fault }
  return {
    certificate: {
      kind: publicKey.asymmetricKeyType as Certificate['kind'],
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  }
}

function keyFault({ asymmetricKeyType: kind, asymmetricKeyDetails: details = {} }: KeyObject): string | undefined {
  if (kind === 'rsa')
    return (details.modulusLength ?? 0) < minRsaBits ? 'must have an RSA key of at least 2048 bits' : undefined
  if (kind !== 'ec') return 'must have an RSA or elliptic curve key'
  return curves.includes(details.namedCurve ?? '') ? undefined : 'must have a key on the curve P-256, P-384 or P-521'
}
