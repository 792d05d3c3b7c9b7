import { X509Certificate, type KeyObject } from 'node:crypto'

/** A certificate whose signatures can be verified: the kind of its key, and the key, PEM. */
export interface Certificate {
  kind: 'rsa' | 'ec'
  publicKey: string
}

/** A certificate of those that a text holds, or why its signatures cannot be verified. */
type Read = { certificate: Certificate } | { fault: string }

const leastBits = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const label = /-----BEGIN ([^-]*)-----/g
const block = /^-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/

/** The certificates of a text, in which an identity provider may have its next one, or its last, beside that of today. */
export function usableCertificates(text: string): Certificate[] {
  return read(text).flatMap(one => ('certificate' in one ? [one.certificate] : []))
}

/** What must be changed about a text before its certificates can be kept; undefined when nothing must. */
export function certificateFault(text: string): string | undefined {
  // Whoever administers the organization is shown what is kept here.
  if (labelsIn(text).some(found => found.includes('PRIVATE KEY'))) return 'must not have a private key'
  const all = read(text)
  const at = all.findIndex(one => 'fault' in one)
  const found = all[at]
  if (!found || !('fault' in found)) return undefined
  return all.length === 1 ? found.fault : `certificate ${at + 1} of ${all.length} ${found.fault}`
}

function read(text: string): Read[] {
  return labelsIn(text).length > 0 ? blocksOf(text).map(readPem) : bodiesOf(text).map(readBody)
}

function labelsIn(text: string): string[] {
  return [...text.matchAll(label)].map(([, name = '']) => name)
}

/** Each PEM block, without what tools write between them; empty for what is no whole certificate. */
function blocksOf(text: string): string[] {
  const pieces = text.split(/(?=-----BEGIN )/).filter(piece => piece.startsWith('-----BEGIN '))
  return pieces.map(piece => block.exec(piece)?.[0] ?? '')
}

/** Base64 of DER: several are apart by an empty line, a comma or a semicolon, or have a line each. */
function bodiesOf(text: string): string[] {
  const parts = text
    .split(/[,;]|\r?\n[ \t]*\r?\n/)
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts.length === 0 ? [text] : parts.flatMap(part => (isWhole(part) ? [part] : linesOf(part)))
}

function linesOf(part: string): string[] {
  const lines = part.split(/\s+/)
  return lines.some(isWhole) ? lines : [part]
}

function isWhole(body: string): boolean {
  return parsed(derOf(body)) !== undefined
}

function readPem(pem: string): Read {
  return judged(parsed(pem))
}

function readBody(body: string): Read {
  return judged(parsed(derOf(body)))
}

function derOf(body: string): Buffer {
  const base64 = body.replaceAll(/\s/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0)
}

function parsed(certificate: string | Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    return undefined
  }
}

/** The validity is not asked for: the certificate is pinned, and those of identity providers expire without being replaced. */
function judged(certificate: X509Certificate | undefined): Read {
  if (!certificate) return { fault: 'cannot be read: it must be PEM, or base64 of DER' }
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
    return (details.modulusLength ?? 0) < leastBits ? 'must be of an RSA key of at least 2048 bits' : undefined
  if (kind !== 'ec') return 'must be of an RSA key or an elliptic curve key'
  return curves.includes(details.namedCurve ?? '') ? undefined : 'must be of the curve P-256, P-384 or P-521'
}
