import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpReply } from '@recto/operation'
import { inject } from 'light-my-request'
import type Provider from 'oidc-provider'
import type { Config } from '../shared/config.ts'
import type { BaseContext } from '../shared/context.ts'
import type { OAuthRequest, OAuthServer } from '../shared/oauth-server.ts'
import { runWork } from './current-work.ts'
import { protectedResource } from './documents.rules.ts'
import { answerStep } from './interactions.ts'
import { createProvider } from './provider.ts'
import { parseAllowList, readRegistration } from './registration.rules.ts'

type Exchange = (request: IncomingMessage, response: ServerResponse) => unknown

/** The path of a step of a person: the id of the interaction, and the step. */
const stepPath = /^\/oauth\/interactions\/[^/]+(\/[\w-]+)?$/
/** A user agent as lists of sessions show it. */
const maxUserAgent = 256

/** Creates the authorization server. It has no port: each request of the gateway is handed to it in process, and its reply goes back. */
export function createOAuthServer(config: Config): OAuthServer<BaseContext> {
  const { PUBLIC_URL: publicUrl } = config
  const allow = parseAllowList(config.OAUTH_REGISTRATION_ALLOW)
  const provider = createProvider({
    publicUrl,
    secrets: config.SIGNING_SECRET,
    allowsRegistration: allow.length > 0,
    ttl: {
      accessToken: config.OAUTH_ACCESS_TOKEN_TTL,
      grant: config.OAUTH_GRANT_TTL,
      sessionIdle: config.SESSION_IDLE_TTL,
      session: config.SESSION_TTL,
    },
  })
  const { host, protocol } = new URL(publicUrl)
  const forwarded = { host, 'x-forwarded-proto': protocol.slice(0, -1) }
  return {
    async answer(request, context) {
      const url = new URL(request.url, publicUrl)
      const resource = protectedResource(url.pathname, publicUrl)
      if (resource) return jsonReply(200, resource)
      const checked = checkedRequest(request, url, allow)
      if ('status' in checked) return checked
      const isRevocation = url.pathname === '/oauth/revoke'
      const work = {
        context,
        userAgent: request.headers['user-agent']?.slice(0, maxUserAgent),
        userCode: url.searchParams.get('user_code') ?? undefined,
        isRevocation,
      }
      return runWork(work, () =>
        exchange(exchangeOf(provider, checked, url), { ...checked, headers: { ...checked.headers, ...forwarded } }),
      )
    },
  }
}

/** The request as the library gets it, or the reply to one that does not reach it. */
function checkedRequest(request: OAuthRequest, url: URL, allow: readonly string[]): OAuthRequest | HttpReply {
  // The library would send the form by a script: our page shows the code in its field.
  if (url.pathname === '/oauth/device' && request.method === 'GET') return { ...request, url: url.pathname }
  if (url.pathname !== '/oauth/register' || allow.length === 0) return request
  const registration = readRegistration(parsed(request.body), allow)
  if ('error' in registration)
    return jsonReply(400, { error: registration.error, error_description: registration.description })
  return { ...request, body: Buffer.from(JSON.stringify(registration.metadata)) }
}

function parsed(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? []).toString())
  } catch {
    return undefined
  }
}

/** The listener that answers a request: our steps for a person, or the library. */
function exchangeOf(provider: Provider, { method, body }: OAuthRequest, url: URL): Exchange {
  const step = stepPath.exec(url.pathname)
  if (!step) return provider.callback()
  const fields = method === 'POST' ? new URLSearchParams(Buffer.from(body ?? []).toString()) : url.searchParams
  return async (request, response) =>
    answerStep({ provider, request, response, fields }, { method, rest: step[1] ?? '' })
}

async function exchange(answer: Exchange, { method, url, headers, body }: OAuthRequest): Promise<HttpReply> {
  const failure: { error?: unknown } = {}
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    Promise.resolve(answer(request, response)).catch((error: unknown) => {
      failure.error = error
      response.destroy()
    })
  }
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  const reply = await inject(dispatch as never, {
    method,
    url,
    headers: sent as Record<string, string>,
    ...(body && { payload: Buffer.from(body) }),
  }).catch((error: unknown) => {
    throw failure.error ?? error
  })
  return { status: reply.statusCode, headers: headerList(reply.headers), body: reply.payload }
}

function headerList(headers: Record<string, number | string | string[] | undefined>): HttpReply['headers'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
}

function jsonReply(status: number, body: unknown): HttpReply {
  const headers: HttpReply['headers'] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['cache-control', 'no-store'],
  ]
  return { status, headers, body: JSON.stringify(body) }
}
