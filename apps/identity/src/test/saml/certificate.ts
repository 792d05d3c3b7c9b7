import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A private key and its certificate, PEM. */
export interface KeyPair {
  key: string
  certificate: string
}

const rsa = (modulusLength: number) => ({
  make: () => generateKeyPairSync('rsa', { modulusLength }),
  algorithm: sequence(objectId('2a864886f70d01010b'), tlv(0x05)),
})
const ec = (namedCurve: string) => ({
  make: () => generateKeyPairSync('ec', { namedCurve }),
  algorithm: sequence(objectId('2a8648ce3d040302')),
})

const kinds = {
  rsa: rsa(2048),
  'rsa-1024': rsa(1024),
  ec: ec('P-256'),
  'ec-384': ec('P-384'),
  'ec-521': ec('P-521'),
  secp256k1: ec('secp256k1'),
  dsa: {
    make: () => generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }),
    algorithm: sequence(objectId('608648016503040302')),
  },
}

/** Generates a key (RSA by default) with a self-signed certificate, encoded here since Node only reads X.509. */
export function aKeyPair(
  kind: keyof typeof kinds = 'rsa',
  { commonName = 'idp.test', until = '491231235959Z' } = {},
): KeyPair {
  const { make, algorithm } = kinds[kind]
  const { privateKey, publicKey } = make()
  const name = sequence(tlv(0x31, sequence(objectId('550403'), tlv(0x0c, Buffer.from(commonName)))))
  const validity = sequence(...['200101000000Z', until].map(time => tlv(0x17, Buffer.from(time))))
  const serial = tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const version3 = tlv(0xa0, tlv(0x02, Buffer.from([2])))
  const signed = sequence(
    version3,
    serial,
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('SHA256').update(signed).sign(privateKey)
  const der = sequence(signed, algorithm, tlv(0x03, Buffer.from([0]), signature))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate: pem(der) }
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

function objectId(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'))
}

/** Encodes a DER element: tag, length, value. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80 ? Buffer.from([value.length]) : Buffer.from([0x82, value.length >> 8, value.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, value])
}
