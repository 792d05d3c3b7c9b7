import { randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

/** Claims of a token, or fields of a document. */
export type Claims = Record<string, unknown>

/** A key of a provider, with its public part as the provider publishes it. */
export interface ProviderKey {
  privateKey: CryptoKey
  jwk: JWK
}

/** A key with an id; with the id of another key it stands for one that somebody invented. */
export async function aProviderKey(kid: string = randomBytes(4).toString('hex'), alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Signs claims with a key; undefined ones are left out. */
export async function signWith({ privateKey, jwk }: ProviderKey, claims: Claims, header: Claims = {}): Promise<string> {
  const keyHeader = { alg: jwk.alg ?? '', ...(jwk.kid !== undefined && { kid: jwk.kid }) }
  const payload = JSON.parse(JSON.stringify(claims)) as Claims
  return new SignJWT(payload).setProtectedHeader(Object.assign(keyHeader, header)).sign(privateKey)
}

/** Signs claims with another key than a provider has, under the id of its own. */
export function signedByAnother({ keys: [key] }: { keys: ProviderKey[] }): (claims: Claims) => Promise<string> {
  return async claims => signWith(await aProviderKey(key?.jwk.kid), claims)
}
