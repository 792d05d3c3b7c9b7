import { createHash, createPublicKey, verify, type KeyLike } from 'node:crypto'
import { SignedXml, type HashAlgorithm, type SignatureAlgorithm } from 'xml-crypto'
import type { Certificate } from './certificates.rules.ts'

type Kind = Certificate['kind']
type Algorithm = new () => SignatureAlgorithm

const library = new SignedXml()
const rsaAlgorithms = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
] as const
const ecdsaAlgorithms = {
  256: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
  384: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384',
  512: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512',
} as const
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const sha384 = 'http://www.w3.org/2001/04/xmldsig-more#sha384'
const sha512 = 'http://www.w3.org/2001/04/xmlenc#sha512'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** The allowed algorithms, by the element of a signature that names them. */
export const algorithms: Record<
  'CanonicalizationMethod' | 'SignatureMethod' | 'DigestMethod' | 'Transform',
  readonly string[]
> = {
  CanonicalizationMethod: [exclusive, inclusive],
  SignatureMethod: [...rsaAlgorithms, ...Object.values(ecdsaAlgorithms)],
  DigestMethod: [sha256, sha384, sha512],
  Transform: [enveloped, exclusive],
}

/** Each type of key verifies with its own algorithms only, since the untrusted document chooses the algorithm. */
const algorithmsByKey: Record<Kind, Record<string, Algorithm>> = {
  rsa: pick(library.SignatureAlgorithms, rsaAlgorithms),
  ec: Object.fromEntries(Object.entries(ecdsaAlgorithms).map(([bits, uri]) => [uri, ecdsa(`sha${bits}`, uri)])),
}
const hashes = { ...pick(library.HashAlgorithms, [sha256, sha512]), [sha384]: hashAlgorithm('sha384', sha384) }
const canonicalizations = pick(library.CanonicalizationAlgorithms, [exclusive, inclusive, enveloped])

/** The bytes that a signature covers, if the key of one of the certificates made it; undefined otherwise. The rest of the document is not signed. */
export function signedBytes(certificates: Certificate[], xml: string, signature: Element): string | undefined {
  for (const certificate of certificates) {
    const bytes = verifiedBytes(certificate, xml, signature)
    if (bytes !== undefined) return bytes
  }
  return undefined
}

function verifiedBytes({ kind, publicKey }: Certificate, xml: string, signature: Element): string | undefined {
  const signed = new SignedXml({ publicCert: publicKey })
  signed.SignatureAlgorithms = algorithmsByKey[kind]
  signed.HashAlgorithms = hashes
  signed.CanonicalizationAlgorithms = canonicalizations
  try {
    signed.loadSignature(signature)
    const [bytes, ...others] = signed.checkSignature(xml) ? signed.getSignedReferences() : []
    return others.length === 0 ? bytes : undefined
  } catch {
    return undefined
  }
}

/** ECDSA of RFC 4051 and XML Signature 1.1: the signature is r followed by s, each as long as the order of the curve. */
function ecdsa(hash: string, uri: string): Algorithm {
  return class {
    getAlgorithmName = () => uri
    getSignature = (): never => {
      throw new Error('This algorithm is used to verify only')
    }
    verifySignature = (material: string, key: KeyLike, signature: string): boolean => {
      return verify(
        hash,
        Buffer.from(material),
        { key: createPublicKey(key as string), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64'),
      )
    }
  }
}

function hashAlgorithm(hash: string, uri: string): new () => HashAlgorithm {
  return class {
    getAlgorithmName = () => uri
    getHash = (xml: string) => createHash(hash).update(xml, 'utf8').digest('base64')
  }
}

function pick<T>(from: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(
    names.map(name => {
      const value = from[name]
      if (value === undefined) throw new Error(`xml-crypto does not implement ${name}`)
      return [name, value]
    }),
  )
}
