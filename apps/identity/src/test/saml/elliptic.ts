import { createHash, sign } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import type { KeyPair } from './certificate.ts'

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** How a document is signed again, in ways that the identity provider library does not support. */
export interface SignatureOptions {
  keys: KeyPair
  /** The algorithm that the document names, without the prefix `xmldsig-more#`. */
  curve: string
  /** The algorithm that is used, if it differs from `named`. */
  hash?: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  /** The encoding of an ECDSA signature. */
  encoding?: 'ieee-p1363' | 'der'
  digest?: string
  /** Changes the signature. */
  edit?: (signature: Buffer) => Buffer
}

/** Replaces the signature of a response with a new one. */
export function resign(xml: string, signing: SignatureOptions): string {
  const {
    keys,
    curve,
    hash = `sha${curve.slice(-3)}`,
    encoding = 'ieee-p1363',
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    edit = (signature: Buffer) => signature,
  } = signing
  const unsigned = xml.replace(/<ds:Signature .*?<\/ds:Signature>/s, '')
  const signer = new SignedXml({
    privateKey: keys.key,
    signatureAlgorithm: `${more}${curve}`,
    canonicalizationAlgorithm: exclusive,
  })
  signer.SignatureAlgorithms[`${more}${curve}`] = class {
    getAlgorithmName = () => `${more}${curve}`
    getSignature = (material: unknown) =>
      edit(sign(hash, Buffer.from(String(material)), { key: keys.key, dsaEncoding: encoding })).toString('base64')
    verifySignature = () => false
  }
  signer.HashAlgorithms[`${more}sha384`] = class {
    getAlgorithmName = () => `${more}sha384`
    getHash = (text: string) => createHash('sha384').update(text).digest('base64')
  }
  const assertion = "//*[local-name(.)='Assertion']"
  signer.addReference({
    xpath: assertion,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
    digestAlgorithm: digest,
  })
  signer.computeSignature(unsigned, {
    prefix: 'ds',
    location: { reference: `${assertion}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signer.getSignedXml()
}
