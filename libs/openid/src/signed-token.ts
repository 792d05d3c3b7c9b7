import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTHeaderParameters,
} from 'jose'
import type { ServerMetadata } from 'openid-client'
import { clockTolerance } from './clock.ts'
import { signedTokenFailure } from './failures.ts'
import { OpenIdFailure } from './openid-failure.ts'
import type { ProviderDocuments } from './provider-documents.ts'

/** Signatures with a key pair: a shared secret, which the id of a client could stand for, signs nothing here. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** A token that a provider has signed for a client. */
export interface SignedToken {
  claims: JWTPayload
  header: JWTHeaderParameters
}

/** For whom a token must be, and the claims that it must have. */
interface Expected {
  clientId: string
  requiredClaims: string[]
  /** The form of the token that is refused when the token says that it has another. */
  typ?: string
}

/** Verifies a signature with the published keys, and issuer, audience and times. Throws `OpenIdFailure`. */
export async function verifySignedToken(
  token: string,
  { documents, metadata }: { documents: ProviderDocuments; metadata: ServerMetadata },
  expected: Expected,
): Promise<SignedToken> {
  const options: JWTVerifyOptions = {
    algorithms: allowedAlgorithms(metadata),
    issuer: metadata.issuer,
    audience: expected.clientId,
    requiredClaims: ['exp', 'iat', ...expected.requiredClaims],
    clockTolerance,
  }
  const verified = await verifyWithKeys(token, options, async isStale => documents.keys(metadata, { isStale }))
  const { typ } = verified.header
  if (expected.typ && typ && ![expected.typ, 'jwt'].includes(typ.toLowerCase().replace('application/', '')))
    throw new OpenIdFailure('structure', `the token is of type ${typ}`)
  if (typeof verified.claims.iat === 'number' && verified.claims.iat > Date.now() / 1000 + clockTolerance)
    throw new OpenIdFailure('not_yet_valid', 'iat is in the future')
  return verified
}

/** The algorithms that the provider announces, among those that are accepted; RS256 where it announces none. */
function allowedAlgorithms({ id_token_signing_alg_values_supported: announced = ['RS256'] }: ServerMetadata): string[] {
  return algorithms.filter(algorithm => announced.includes(algorithm))
}

type LoadKeys = (isStale: boolean) => ReturnType<ProviderDocuments['keys']>

async function verifyWithKeys(token: string, options: JWTVerifyOptions, load: LoadKeys): Promise<SignedToken> {
  try {
    return await verifyOnce(token, options, await load(false))
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw signedTokenFailure(error)
  }
  try {
    return await verifyOnce(token, options, await load(true))
  } catch (error) {
    throw signedTokenFailure(error)
  }
}

async function verifyOnce(
  token: string,
  options: JWTVerifyOptions,
  keys: Awaited<ReturnType<LoadKeys>>,
): Promise<SignedToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), options)
    return { claims: payload, header: protectedHeader }
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    return verifyWithAny(token, options, error)
  }
}

/** Verifies a token that names no key, where several keys fit. */
async function verifyWithAny(
  token: string,
  options: JWTVerifyOptions,
  fitting: errors.JWKSMultipleMatchingKeys,
): Promise<SignedToken> {
  for await (const key of fitting) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, options)
      return { claims: payload, header: protectedHeader }
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
