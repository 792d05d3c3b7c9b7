import type { JSONWebKeySet } from 'jose'
import { LRUCache } from 'lru-cache'
import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client'
import { failureOf } from './failures.ts'
import { FetchBudget } from './fetch-budget.ts'
import { faultyEndpoint, isInsecure, isProviderUrl } from './issuer.rules.ts'
import { OpenIdFailure, type OpenIdReason } from './openid-failure.ts'
import type { OutgoingFetch } from './outgoing-fetch.ts'

/** Milliseconds for which the metadata and keys of a provider are used without being fetched again. */
const documentAge = 600_000
const maxDocuments = 1_000

/** Metadata and keys of providers, cached for ten minutes. A document is fetched six times in a minute at most, and keys six times more for tokens that name others. */
export interface ProviderDocuments {
  /** The metadata of an issuer (OpenID Connect Discovery 1.0), which names it exactly. Throws `OpenIdFailure`. */
  metadata(issuer: string): Promise<ServerMetadata>
  /** The keys of a provider; `isStale` has them fetched again, since a token names one that is not there. Throws `OpenIdFailure`. */
  keys(metadata: ServerMetadata, options?: { isStale?: boolean }): Promise<JSONWebKeySet>
}

/** Creates the cache of a process. */
export function createProviderDocuments(fetch: OutgoingFetch): ProviderDocuments {
  const budget = new FetchBudget()
  /** Of its own, so that tokens with invented keys, which anybody can send, take nothing from what sign-ins need. */
  const renewals = new FetchBudget()
  const bounded = async <Document>(url: string, reason: OpenIdReason, load: () => Promise<Document>) => {
    if (!budget.take(url)) throw new OpenIdFailure(reason, 'it is fetched too often')
    return load()
  }
  const allMetadata = new LRUCache<string, ServerMetadata>({
    max: maxDocuments,
    ttl: documentAge,
    fetchMethod: issuer => bounded(issuer, 'discovery', () => discover(issuer, fetch)),
  })
  const allKeys = new LRUCache<string, JSONWebKeySet, boolean>({
    max: maxDocuments,
    ttl: documentAge,
    noDeleteOnFetchRejection: true,
    fetchMethod: (url, _keys, { context: isRenewal }) =>
      isRenewal === true ? fetchKeys(url, fetch) : bounded(url, 'keys', () => fetchKeys(url, fetch)),
  })
  return {
    async metadata(issuer) {
      if (!isProviderUrl(issuer)) throw new OpenIdFailure('discovery', 'the issuer is no https URL')
      try {
        return requireLoaded(await allMetadata.fetch(issuer))
      } catch (error) {
        throw failureOf(error, 'discovery')
      }
    },
    async keys({ jwks_uri: url = '' }, { isStale = false } = {}) {
      const forceRefresh = isStale && renewals.take(url)
      try {
        return requireLoaded(await allKeys.fetch(url, { forceRefresh, context: forceRefresh }))
      } catch (error) {
        throw failureOf(error, 'keys')
      }
    },
  }
}

/** The extensions of a client for an issuer: one without TLS is on this machine. */
export function extensionsFor(issuer: string) {
  return isInsecure(issuer) ? [allowInsecureRequests] : []
}

async function discover(issuer: string, fetch: OutgoingFetch): Promise<ServerMetadata> {
  const url = new URL(issuer)
  const options = { [customFetch]: fetch, execute: extensionsFor(issuer) }
  const configuration = await discovery(url, 'discovery', undefined, undefined, options)
  // A plain copy: the library marks issuers of some vendors, whose tokens then may name any tenant.
  const metadata = JSON.parse(JSON.stringify(configuration.serverMetadata())) as ServerMetadata
  if (new URL(metadata.issuer).href !== url.href)
    throw new OpenIdFailure('discovery', 'the metadata is that of another issuer')
  const fault = faultyEndpoint(metadata)
  if (fault !== undefined) throw new OpenIdFailure('discovery', `the metadata has no ${fault} at an https URL`)
  return metadata
}

async function fetchKeys(url: string, fetch: OutgoingFetch): Promise<JSONWebKeySet> {
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new OpenIdFailure('keys', `the status is ${response.status}`)
  const keys = (await response.json()) as Partial<JSONWebKeySet> | null
  if (!Array.isArray(keys?.keys)) throw new OpenIdFailure('keys', 'the document has no keys')
  return keys as JSONWebKeySet
}

function requireLoaded<Document>(document: Document | undefined): Document {
  if (document === undefined) throw new OpenIdFailure('discovery', 'the request was given up')
  return document
}
