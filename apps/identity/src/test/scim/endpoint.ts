import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scim } from '@recto/contracts-identity'
import { createGateway, createRateLimit } from '@recto/http'
import { waitLimit } from '@recto/testing'
import { gatewayActors } from '../gateway-actors.ts'
import { anIdentity, type IdentitySetup } from '../identity-setup.ts'

/** A reply of the endpoint. */
export interface ScimReply {
  status: number
  headers: Headers
  // Bodies of tests are read by the path that they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

/** A request as a provisioning client sends it. */
export interface ScimRequest {
  method?: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** Sends requests of one client. */
export type SendScim = (request: ScimRequest) => Promise<ScimReply>

/** Identity, and a real gateway before it, which answers SCIM over HTTP. */
export interface ScimSetup {
  identity: IdentitySetup
  /** A client with a token. */
  as(token: string): SendScim
  stop(): Promise<void>
}

export async function aScimSetup(): Promise<ScimSetup> {
  const identity = await anIdentity()
  const app = createGateway({
    bus: identity.gateway,
    api: {},
    protocols: [scim],
    actors: await gatewayActors(identity),
    rate: createRateLimit(1_000_000),
    refusals: createRateLimit(1_000),
    bodyLimit: 1_048_576,
    timeout: waitLimit,
    health: () => false,
    log: { info: () => undefined, error: () => undefined },
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${scim.base}`
  return {
    identity,
    as:
      (token: string): SendScim =>
      async ({ method = 'GET', path, body, headers = {} }) => {
        const reply = await fetch(`${base}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': scim.mediaType }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        const text = await reply.text()
        return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) }
      },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await identity.stop()
    },
  }
}
