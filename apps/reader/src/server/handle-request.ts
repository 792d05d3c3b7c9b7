import { setTimeout as delay } from 'node:timers/promises'
import { ApiFailure } from '../api/api-client.ts'
import { requestAddress, type AddressOptions, type RequestAddress } from '../addresses/request-address.rules.ts'
import type { Assets } from '../assets/assets.ts'
import { isMcpRequest } from '../addresses/mcp-address.rules.ts'
import { mcpFailure } from '../mcp/mcp-failure.ts'
import type { McpAnswer } from '../mcp/mcp-request.ts'
import { McpRefused } from '../mcp/open-visit.ts'
import { frameView, type SiteFeature, type SiteTools } from '../layout/site-request.ts'
import { translator } from '../i18n/index.ts'
import { AgentExcluded, isPublished, LookupRefused, openSite, type OpenedSite } from '../loaders/open-site.ts'
import { readIntroduction, writeClaims, type VisitorParams } from '../loaders/visitor.rules.ts'
import { redirectResponse, textAnswer, type PageResponse } from '../responses/page-response.ts'
import type { EdgeTimes } from '../responses/edge.rules.ts'
import { commonHeaders, previewHeaders } from '../responses/security.rules.ts'
import { outageHeaders } from '../responses/outage-headers.rules.ts'
import { withEdge } from './edge-answers.ts'
import { linkedPage } from './linked-page.ts'
import { cleanedPath } from './local-path.rules.ts'
import { noncePlaceholder, withPolicy } from './page-policy.ts'
import type { PageRequest } from './page-request.ts'
import { ownSignIn, signInPathAt, signInTargets } from './sign-in-path.rules.ts'
import { atBeginning, signingAt, signingTarget, type Signing } from './signing.rules.ts'
import { acceptedCookies, forgottenCookies, sessionOf, visitorFrom } from './visitor-cookies.ts'
import { answerSignIn, guardedAnswer, type SignInRequest } from './visitor-sign-in.ts'

/** The parts with which requests are answered. */
export interface RequestParts {
  addresses: AddressOptions
  assets: Assets
  tools: SiteTools
  /** By their names, in the order in which they are asked. */
  features: Readonly<Record<string, SiteFeature>>
  /** Answers clients of the Model Context Protocol. */
  mcp: McpAnswer
  /** How long caches in front of the reader keep what is for everybody. */
  edge: EdgeTimes
}

/** Characters of a path: with its host, no more than a lookup takes. */
const maxPathLength = 1_700

/** Answers a request of a site. What the API refuses is a page that says so; rejects for any other failure. */
export async function handleRequest(pageRequest: PageRequest, parts: RequestParts): Promise<PageResponse> {
  try {
    return withHeaders(await answerWithValidToken(pageRequest, parts))
  } catch (error) {
    if (error instanceof AgentExcluded && !isMcp(pageRequest)) return withHeaders(textFailure(error))
    if (!(error instanceof ApiFailure)) throw error
    return failureResponse(pageRequest, error)
  }
}

/** Milliseconds before each further lookup: a change of the site is known to the whole installation a moment after its reply. */
const lookupDelays = [0, 100, 400]

/** Answers a request; one whose token a change of the site ended since its lookup is looked up again. */
async function answerWithValidToken(pageRequest: PageRequest, parts: RequestParts): Promise<PageResponse> {
  const first = await answer(pageRequest, { parts, renew: false }).catch(unlessTokenEnded)
  if (first) return first
  for (const milliseconds of lookupDelays) {
    await delay(milliseconds)
    const again = await answer(pageRequest, { parts, renew: true }).catch(unlessTokenEnded)
    if (again) return again
  }
  throw new ApiFailure(503, 'The documentation cannot be read at the moment')
}

/** Resolves to nothing when the token of a visitor was refused; throws any other failure. */
function unlessTokenEnded(error: unknown): undefined {
  const isRefused = error instanceof LookupRefused || error instanceof McpRefused
  if (error instanceof ApiFailure && error.status === 401 && !isRefused) return undefined
  throw error
}

async function answer(
  pageRequest: PageRequest,
  { parts, renew }: { parts: RequestParts; renew: boolean },
): Promise<PageResponse> {
  const { pathname, search } = splitUrl(pageRequest.url)
  const asset = await parts.assets.at(pathname, pageRequest)
  if (asset) return { ...asset, operation: 'asset' }
  const address = requestAddress({ host: pageRequest.host, path: pathname }, parts.addresses)
  if (!address) throw new ApiFailure(404, 'There is no site at this address')
  if (pathname.length > maxPathLength) throw new ApiFailure(414, 'This address is too long')
  if (!['GET', 'HEAD', 'POST'].includes(pageRequest.method)) throw new ApiFailure(405, 'This method is not supported')
  const cleaned = cleanedPath(pathname, address.mountPath)
  if (cleaned !== undefined) return redirectResponse(`${cleaned}${search}`, !address.isPreview)
  if (isMcp(pageRequest)) return answerMcp(pageRequest, { address, parts, renew })
  const signIn = address.isPreview ? undefined : signInPathAt(pathname)
  const signing = signingAt(pathname)
  const action = signIn?.action ?? (signing?.action === 'out' ? 'signOut' : undefined)
  const guarded = action && guardedAnswer(action, { headers: pageRequest.headers, path: pathname })
  if (guarded) return guarded
  if (signIn) return answerSignIn({ ...signInRequest(pageRequest, address), signIn }, parts.tools.api)
  const introduction = readIntroduction(search.slice(1), address.isPreview)
  if (introduction.isOne) return acceptVisitorParams(introduction, { pageRequest, address, parts, renew })
  const visitor = visitorFrom(pageRequest, address)
  const result = await openSite(address, { reads: parts.tools.reads, visitor, renew })
  if ('login' in result) return endLogin(signing, { login: result.login, address, pageRequest })
  if (signing?.action === 'out' && sessionOf(pageRequest, address) !== undefined) {
    const signOut = { action: 'signOut', root: signing.root.replace(/\/$/, '') } as const
    return answerSignIn({ ...signInRequest(pageRequest, address), signIn: signOut }, parts.tools.api)
  }
  if (signing) {
    const { urls } = result.site.published.site
    const target = signingTarget(signing, { isSignedIn: visitor.jwtToken !== undefined, urls })
    const cookies = signing.action === 'out' ? forgottenCookies(address) : []
    return { ...redirectResponse(target), cookies, operation: 'signing' }
  }
  return answerSite(result.site, { pageRequest, parts, search, renew })
}

function answerMcp(
  pageRequest: PageRequest,
  { address, parts, renew }: { address: RequestAddress; parts: RequestParts; renew: boolean },
): Promise<PageResponse> {
  const { headers, body, address: visitorAddress, signal, url } = pageRequest
  const query = splitUrl(url).search.slice(1)
  const origin = originOf(pageRequest)
  return parts.mcp({ address, headers, query, body, visitorAddress, origin, signal, renew }, parts.tools)
}

/** Whether a program of the Model Context Protocol asks, and no browser. */
function isMcp({ method, url }: Pick<PageRequest, 'method' | 'url'>): boolean {
  return isMcpRequest({ method, path: splitUrl(url).pathname })
}

/** The origin that the visitor's browser shows. A proxy may hand on whatever the visitor says of the protocol. */
function originOf({ protocol, host }: PageRequest): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`
}

/** A visitor whose login has ended logs in; one who signs out, or in, comes back to the beginning of the site and not to where they do so. */
function endLogin(
  signing: Signing | undefined,
  { login, address, pageRequest }: { login: string; address: RequestAddress; pageRequest: PageRequest },
): PageResponse {
  const root = ownSignIn(login, address)
  const targets =
    root === undefined
      ? { in: atBeginning(login), out: signing?.root ?? login, back: login }
      : signInTargets(root, pageRequest.url)
  const redirect = redirectResponse(targets[signing?.action ?? 'back'])
  // A form that was sent to a closed page is not sent on to where visitors sign in here.
  const isSent = root !== undefined && pageRequest.method === 'POST'
  return { ...redirect, ...(isSent && { status: 303 }), cookies: forgottenCookies(address) }
}

/** A request to sign in or out by the provider of a site, but for what it asks for. */
function signInRequest(pageRequest: PageRequest, at: RequestAddress): Omit<SignInRequest, 'signIn'> {
  const { method, headers, address: visitorAddress, url } = pageRequest
  const query = splitUrl(url).search.slice(1)
  return { method, headers, visitorAddress, origin: originOf(pageRequest), query, at }
}

/** A visitor comes with what they are known by: it is kept in cookies if the site lets them in, and leaves the address. */
async function acceptVisitorParams(
  { token, claims, rest, isTooLong }: VisitorParams,
  {
    pageRequest,
    address,
    parts,
    renew,
  }: { pageRequest: PageRequest; address: RequestAddress; parts: RequestParts; renew: boolean },
): Promise<PageResponse> {
  // Without its cookie the visitor would be sent to log in again, for ever.
  if (isTooLong) throw new ApiFailure(400, 'The token of this login is too long for a browser to keep')
  const cookieVisitor = visitorFrom(pageRequest, address)
  const visitor = { ...cookieVisitor, unsignedClaims: { ...cookieVisitor.unsignedClaims, ...claims } }
  const own = token === undefined ? {} : address.isPreview ? { previewToken: token } : { jwtToken: token }
  // Whoever comes with a token that is refused is told so: sent to log in again, they would come back with the same.
  await openSite(address, {
    reads: parts.tools.reads,
    visitor: { ...visitor, ...own },
    isNewToken: token !== undefined,
    renew,
  })
  const claimsText = Object.keys(claims).length > 0 ? writeClaims(visitor.unsignedClaims) : undefined
  const { pathname } = splitUrl(pageRequest.url)
  return {
    ...redirectResponse(`${pathname}${rest && `?${rest}`}`),
    cookies: acceptedCookies({ token, claims: claimsText }, address),
  }
}

async function answerSite(
  site: OpenedSite,
  {
    pageRequest,
    parts,
    search,
    renew,
  }: { pageRequest: PageRequest; parts: RequestParts; search: string; renew: boolean },
): Promise<PageResponse> {
  const { method, headers, body, prefersMarkdown, signal } = pageRequest
  const view = frameView(site, { assets: parts.assets.urls(site.links.root), nonce: noncePlaceholder })
  const request = {
    site,
    view,
    headers,
    body,
    prefersMarkdown,
    visitorAddress: pageRequest.address,
    signal,
    isRepeated: renew,
    query: new URLSearchParams(search),
    search,
    method: method === 'POST' ? ('POST' as const) : ('GET' as const),
    origin: originOf(pageRequest),
  }
  for (const [operation, feature] of Object.entries(parts.features)) {
    const featureResponse = await feature(request, parts.tools)
    if (!featureResponse) continue
    const previewResponse = withOutageHeaders(withPreviewHeaders(featureResponse, site), site)
    const { answer, isKept } = withEdge(previewResponse, { pageRequest, site, edge: parts.edge })
    const assets = view.assets.script.replace(/[^/]*$/, '')
    return { ...withPolicy(answer, { pageRequest, isKept, assets }), operation }
  }
  throw new ApiFailure(405, 'This method is not supported')
}

function withPreviewHeaders(answer: PageResponse, site: OpenedSite): PageResponse {
  return isPublished(site) ? answer : { ...answer, headers: { ...answer.headers, ...previewHeaders } }
}

/** Says of an answer that it is from disk. */
function withOutageHeaders(answer: PageResponse, { lookup: { keptSince } }: OpenedSite): PageResponse {
  return keptSince === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, ...outageHeaders(keptSince, Date.now()) } }
}

function withHeaders(answer: PageResponse): PageResponse {
  return { ...answer, headers: { ...commonHeaders, ...answer.headers } }
}

/** Says to a program that a request failed. */
function textFailure({ status, message }: ApiFailure): PageResponse {
  return { ...textAnswer('text/plain', `${message}\n`, { 'cache-control': 'no-store' }), status }
}

/** Says that a request failed in the form that who sent it reads. */
export function failureResponse(request: Pick<PageRequest, 'method' | 'url'>, failure: ApiFailure): PageResponse {
  if (!isMcp(request)) return failurePage(failure)
  return withHeaders(mcpFailure(failure, failure instanceof McpRefused ? failure.headers : {}))
}

/** Says in a page of its own that a request failed. */
export function failurePage({ status, message }: { status: number; message: string }): PageResponse {
  const t = translator('en')
  const { headers, ...page } = linkedPage({ status, title: status === 404 ? t('notFound') : t('failed'), message })
  return withHeaders({ ...page, headers: { ...headers, ...(status === 503 && { 'retry-after': '5' }) } })
}

function splitUrl(url: string): { pathname: string; search: string } {
  const at = url.indexOf('?')
  return at === -1 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at) }
}
