import { z } from 'zod'

const Renewal = z.object({ refreshToken: z.string(), expiresAt: z.number() })

/** The refresh token of a login by a browser, and when its access token ends, in milliseconds since the epoch. */
export type Renewal = z.output<typeof Renewal>

/** A token that ends sooner is renewed before it is used: a command may take that long. */
const minRemainingMs = 900_000

/** The tokens of the caller, by the address of the API. */
export const Credentials = z.object({
  version: z.literal(1),
  current: z.string().optional(),
  tokens: z.record(z.string(), z.string()),
  renewals: z.record(z.string(), Renewal).optional(),
})

/** Tokens by address, and the address that was used last. */
export type Credentials = z.output<typeof Credentials>

/** The settings of the environment that win over saved credentials. */
export interface AccountOverride {
  url: string | undefined
  token: string | undefined
}

/** No credentials. */
export const noCredentials: Credentials = { version: 1, tokens: {} }

/** The address of an API without `/v1` and slashes at its end; undefined for what is no address over HTTP. */
export function apiAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`
}

/**
 * Chooses the address and the token of a call; a string is the message of what is missing. `folderUrl` is the address that a folder names:
 * a folder of somebody else may name any, so a token of the environment goes only to the address of the environment, or of the last login.
 */
export function chooseAccount(
  credentials: Credentials,
  { url, token }: AccountOverride,
  folderUrl?: string,
): { url: string; token: string } | string {
  const ownUrl = url === undefined ? credentials.current : apiAddress(url)
  if (url !== undefined && ownUrl === undefined) return 'RECTO_URL is no address over HTTP'
  if (url !== undefined && folderUrl !== undefined && ownUrl !== folderUrl)
    return `The folder is of ${folderUrl}, and RECTO_URL is ${ownUrl}`
  const address = folderUrl ?? ownUrl
  if (address === undefined) return 'Use `recto login URL` first, or set RECTO_URL and RECTO_TOKEN'
  if (token !== undefined && address === ownUrl) return { url: address, token }
  const savedToken = Object.hasOwn(credentials.tokens, address) ? credentials.tokens[address] : undefined
  return savedToken === undefined ? `Use \`recto login ${address}\` first` : { url: address, token: savedToken }
}

/** Credentials with a token, whose address becomes the current one. */
export function withToken({ tokens, renewals }: Credentials, url: string, token: string): Credentials {
  return { version: 1, current: url, tokens: { ...tokens, [url]: token }, ...renewalsWithout(renewals, url) }
}

/** Credentials with a login by a browser, whose address becomes the current one. */
export function withLogin(
  { tokens, renewals }: Credentials,
  url: string,
  { token, renewal }: { token: string; renewal: Renewal },
): Credentials {
  return {
    version: 1,
    current: url,
    tokens: { ...tokens, [url]: token },
    renewals: { ...renewals, [url]: renewal },
  }
}

/** Credentials with renewed tokens of an address: which address is the current one stays. */
export function withRenewal(
  credentials: Credentials,
  url: string,
  login: { token: string; renewal: Renewal },
): Credentials {
  const { current } = credentials
  const { current: _own, ...renewed } = withLogin(credentials, url, login)
  return { ...renewed, ...(current !== undefined && { current }) }
}

/** Whether the token of an address must be renewed before it is used. */
export function needsRenewal({ renewals = {} }: Credentials, url: string, now: number): boolean {
  const renewal = Object.hasOwn(renewals, url) ? renewals[url] : undefined
  return renewal !== undefined && renewal.expiresAt - now < minRemainingMs
}

/** Credentials without the token of an address. */
export function withoutToken({ current, tokens, renewals }: Credentials, url: string): Credentials {
  const rest = Object.fromEntries(Object.entries(tokens).filter(([address]) => address !== url))
  const others = renewalsWithout(renewals, url)
  return { version: 1, tokens: rest, ...others, ...(current !== undefined && current !== url && { current }) }
}

function renewalsWithout(renewals: Credentials['renewals'], url: string): Pick<Credentials, 'renewals'> {
  if (!renewals) return {}
  return { renewals: Object.fromEntries(Object.entries(renewals).filter(([address]) => address !== url)) }
}
