import { setTimeout as wait } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { ApiFailure } from '../api/api-client.ts'
import { neededScopes } from '../api/operations.ts'
import type { Renewal } from './credentials.rules.ts'

/** Tokens of a login: the access token, and what renews it. */
export interface Login {
  token: string
  renewal: Renewal
}

/** A device that asks for access: what its user enters, and where. */
export interface DeviceCode {
  userCode: string
  address: string
  /** The address that has the code in it. */
  fullAddress: string
}

const scope = neededScopes.join(' ')
const client: oauth.Client = { client_id: 'recto-cli' }
/** Seconds between two questions, unless the server says otherwise (RFC 8628, section 3.2). */
const defaultInterval = 5
const slowDown = 5
/** Milliseconds for one request. */
const requestMs = 20_000

/** The authorization server of an installation; undefined for one that has none. Throws `ApiFailure`. */
export async function findServer(url: string, signal: AbortSignal): Promise<oauth.AuthorizationServer | undefined> {
  const issuer = new URL(url)
  const response = await asking(
    () => oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...optionsOf(url, signal) }),
    signal,
  )
  if (response.status === 404) return undefined
  const server = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { issuer?: unknown } | undefined
  if (typeof server?.issuer === 'string' && server.issuer !== url)
    throw new ApiFailure(0, `The installation calls itself ${server.issuer}: use that address`)
  return asking(() => oauth.processDiscoveryResponse(issuer, response), signal)
}

/** Logs in by a browser: shows the code, and waits until its user has decided. Throws `ApiFailure` when they deny, or do nothing. */
export async function logInByBrowser(
  server: oauth.AuthorizationServer,
  show: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<Login> {
  const options = optionsOf(server.issuer, signal)
  const device = await asking(async () => {
    const reply = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { scope }, options)
    return oauth.processDeviceAuthorizationResponse(server, client, reply)
  }, signal)
  show({
    userCode: device.user_code,
    address: device.verification_uri,
    fullAddress: device.verification_uri_complete ?? device.verification_uri,
  })
  let interval = device.interval ?? defaultInterval
  for (;;) {
    await wait(interval * 1_000, undefined, { signal })
    const reply = await asking(
      () => oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, options),
      signal,
    )
    try {
      return loginOf(await oauth.processDeviceCodeResponse(server, client, reply))
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'authorization_pending' && code !== 'slow_down') throw failureOf(error)
      if (code === 'slow_down') interval += slowDown
    }
  }
}

/** Renews the tokens of a login. Throws `ApiFailure`, with the status 401 when they have ended. */
export async function renewLogin(url: string, { refreshToken }: Renewal, signal: AbortSignal): Promise<Login> {
  const server = await findServer(url, signal)
  if (!server) throw new ApiFailure(401, 'The login has ended: use `recto login`')
  return asking(async () => {
    const reply = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      optionsOf(url, signal),
    )
    return loginOf(await oauth.processRefreshTokenResponse(server, client, reply))
  }, signal)
}

/** Gives the tokens of a login back: they are valid no longer. Throws `ApiFailure`. */
export async function endLogin(url: string, { refreshToken }: Renewal, signal: AbortSignal): Promise<void> {
  const server = await findServer(url, signal)
  if (!server) return
  await asking(async () => {
    const reply = await oauth.revocationRequest(server, client, oauth.None(), refreshToken, optionsOf(url, signal))
    await oauth.processRevocationResponse(reply)
  }, signal)
}

function loginOf({
  access_token: token,
  refresh_token: refreshToken,
  expires_in: seconds = 0,
}: oauth.TokenEndpointResponse): Login {
  return { token, renewal: { refreshToken: refreshToken ?? '', expiresAt: Date.now() + seconds * 1_000 } }
}

/** An installation on this computer has no https; the address is what the caller has typed. */
function optionsOf(url: string, signal: AbortSignal) {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    [oauth.allowInsecureRequests]: url.startsWith('http:'),
  }
}

async function asking<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error)
  }
}

const messages: Partial<Record<string, string>> = {
  access_denied: 'The login was denied in the browser',
  expired_token: 'The code has expired: use `recto login` again',
  invalid_grant: 'The login has ended: use `recto login`',
}

function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const code = codeOf(error)
  if (code === undefined)
    return new ApiFailure(0, 'The installation cannot be reached, or answers wrongly', { cause: error })
  return new ApiFailure(401, messages[code] ?? `The installation refuses the login (${code})`)
}

const codeOf = (error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : undefined)
