import { randomBytes } from 'node:crypto'
import { createId, Failure, fieldFault, type Secrets } from '@recto/operation'
import type { OAuthClientRow } from '../grants/client.entity.ts'
import { withoutControls } from '../sign-ins/account.rules.ts'
import { sealPayload } from './sealed-payload.ts'

/** A program to register. */
export interface NewClient {
  /** The organization whose members may allow it; null for everybody of the installation. */
  organization: string | null
  name: string
  type: 'public' | 'confidential'
  redirectURIs: string[]
}

/** The row of a program that an admin or an operator registers, with its secret if it keeps one. Throws `invalid_request`. */
export function newClient(client: NewClient, secrets: Secrets): { row: OAuthClientRow; secret: string | undefined } {
  const { organization, type, redirectURIs } = client
  const name = withoutControls(client.name)
  if (name === '') throw fieldFault('body.name', 'must have a letter, a digit or another sign')
  const id = createId()
  const secret = type === 'confidential' ? randomBytes(32).toString('base64url') : undefined
  const isNative = redirectURIs.some(uri => !uri.startsWith('https:'))
  if (isNative && secret !== undefined)
    throw new Failure('invalid_request', 'body.type: a program on the computer of a person keeps no secret')
  const metadata = {
    client_id: id,
    client_name: name,
    redirect_uris: redirectURIs,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isNative ? 'native' : 'web',
    token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic',
    ...(secret !== undefined && { client_secret: secret }),
  }
  const row: OAuthClientRow = {
    id,
    organizationId: organization,
    selfRegistered: false,
    name,
    type,
    redirectUris: redirectURIs,
    metadata: sealPayload(metadata, id, secrets),
    createdAt: new Date(),
  }
  return { row, secret }
}
