import type { IncomingMessage, ServerResponse } from 'node:http'
import { visitEndPath, visitPath } from '@recto/actor/visit-request'
import type { HttpReply } from '@recto/operation'
import { inject } from 'light-my-request'
import type Provider from 'oidc-provider'
import type { Config } from '../shared/config.ts'
import type { BaseContext } from '../shared/context.ts'
import type { OAuthRequest, OAuthServer } from '../shared/oauth-server.ts'
import { runWork } from './current-work.ts'
import { protectedResource } from './documents.rules.ts'
import { answerStep } from './interactions.ts'
import { pageHeaders, renderPage, type Page } from './pages/layout.ts'
import { messagePage } from './pages/pages.ts'
import { expired } from './question.ts'
import { createProvider, documentLifetime } from './provider.ts'
import { answerVisitEnd } from './visit-ends.ts'
import { answerVisit } from './visits.ts'
import { parseAllowList, readRegistration } from './registration.rules.ts'
import { asksForScope, noScope } from './scopes.rules.ts'

type Exchange = (request: IncomingMessage, response: ServerResponse) => unknown

/** The path of a step of a person: the id of the interaction, and the step. */
const stepPath = /^\/oauth\/interactions\/[^/]+(\/[\w-]+)?$/
/** The steps that go on in the session of a browser. */
const goesOn = /^(?:POST \/oauth\/device|GET \/oauth\/device\/[^/]+)$/
/** Addresses of replies have codes in them: no other site learns them. */
const privacyHeaders = { 'referrer-policy': 'no-referrer' }
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
      if (resource) return jsonReply(200, resource, documentLifetime)
      const checked = checkedRequest(request, url, allow)
      if ('status' in checked) return checked
      const isRevocation = url.pathname === '/oauth/revoke'
      const work = {
        context,
        userAgent: request.headers['user-agent']?.slice(0, maxUserAgent),
        userCode: url.searchParams.get('user_code') ?? undefined,
        isRevocation,
        storedSessions: new Set<string>(),
      }
      return runWork(work, () =>
        exchange(exchangeOf(provider, checked, url), { ...checked, headers: { ...checked.headers, ...forwarded } }),
      )
    },
  }
}

/** The request as the library gets it, or the reply to one that does not reach it. */
function checkedRequest(request: OAuthRequest, url: URL, allow: readonly string[]): OAuthRequest | HttpReply {
  const { pathname, searchParams } = url
  // The library would send the form by a script: our page shows the code in its field.
  if (pathname === '/oauth/device' && request.method === 'GET') return { ...request, url: pathname }
  if (pathname === '/oauth/authorize' && !searchParams.getAll('response_mode').every(mode => mode === 'query'))
    return pageReply(
      400,
      messagePage(
        'This does not work',
        'The only response_mode is query. Begin again where you came from: in the program, or at the site.',
      ),
    )
  if (pathname === '/oauth/device-authorization' && !asksForScope(fieldsOf(request).get('scope')))
    return jsonReply(400, { error: 'invalid_scope', error_description: noScope })
  if (pathname !== '/oauth/register' || allow.length === 0) return request
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
  const fields = method === 'POST' ? fieldsOf({ body }) : url.searchParams
  if (url.pathname === visitPath) return (request, response) => answerVisit({ provider, request, response, fields })
  if (url.pathname === visitEndPath)
    return (request, response) => answerVisitEnd({ provider, request, response, fields }, method)
  if (!step) return goesOn.test(`${method} ${url.pathname}`) ? inSession(provider) : provider.callback()
  return async (request, response) =>
    answerStep({ provider, request, response, fields }, { method, rest: step[1] ?? '' })
}

/** Hands a request to the library that goes on in the session of its browser; one without is told to begin again. */
function inSession(provider: Provider): Exchange {
  return async (request, response) => {
    const session = (await provider.Session.get(provider.createContext(request, response))) as { new?: boolean }
    if (!session.new) return provider.callback()(request, response)
    return expired(response)
  }
}

const fieldsOf = ({ body }: Pick<OAuthRequest, 'body'>) => new URLSearchParams(Buffer.from(body ?? []).toString())

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
  const all = { 'cache-control': 'no-store', ...privacyHeaders, ...reply.headers }
  return { status: reply.statusCode, headers: headerList(all), body: reply.payload }
}

function headerList(headers: Record<string, number | string | string[] | undefined>): HttpReply['headers'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
}

function pageReply(status: number, page: Page): HttpReply {
  return { status, headers: Object.entries(pageHeaders()), body: renderPage(page) }
}

function jsonReply(status: number, body: unknown, cacheControl = 'no-store'): HttpReply {
  const headers: HttpReply['headers'] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['cache-control', cacheControl],
    ...Object.entries(privacyHeaders),
  ]
  return { status, headers, body: JSON.stringify(body) }
}
