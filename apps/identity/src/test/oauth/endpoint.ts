import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { identityApi, oauth, wellKnown } from '@recto/contracts-identity'
import { createGateway, createRateLimit } from '@recto/http'
import { aFormBrowser, waitLimit, type FormBrowser } from '@recto/testing'
import { gatewayActors } from '../gateway-actors.ts'
import { anIdentity, type IdentitySetup } from '../identity-setup.ts'

export const publicUrl = 'https://recto.test'

/** Identity, and a real gateway before it, which programs and browsers reach. */
export interface OAuthSetup {
  identity: IdentitySetup
  /** Sends a request to the public address. */
  fetch(url: string, init?: RequestInit): Promise<Response>
  browser(): FormBrowser
  /** Calls the API with a token. */
  api(token: string, path: string, init?: { method?: string; body?: unknown }): Promise<{ status: number; body: Body }>
  stop(): Promise<void>
}

// Bodies of tests are read by the path that they expect.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any

export async function anOAuthSetup(environment: Record<string, string> = {}): Promise<OAuthSetup> {
  const identity = await anIdentity({ environment: { PUBLIC_URL: publicUrl, ...environment } })
  const app = createGateway({
    bus: identity.gateway,
    api: { identity: identityApi },
    protocols: [oauth, wellKnown],
    actors: await gatewayActors(identity),
    rate: createRateLimit(1_000_000),
    rates: { signIn: createRateLimit(1_000) },
    refusals: createRateLimit(1_000),
    bodyLimit: 1_048_576,
    timeout: waitLimit,
    health: () => false,
    log: { info: () => undefined, error: () => undefined },
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (url: string, init: RequestInit = {}) =>
    fetch(url.replace(publicUrl, base), { redirect: 'manual', ...init })
  return {
    identity,
    fetch: send,
    browser: () => aFormBrowser(send, publicUrl),
    async api(token, path, { method = 'GET', body } = {}) {
      const reply = await send(`${publicUrl}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await identity.stop()
    },
  }
}
