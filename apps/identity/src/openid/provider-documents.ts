import type { JSONWebKeySet } from 'jose'
import { LRUCache } from 'lru-cache'
import * as client from 'openid-client'
import type { Outgoing } from '@recto/outgoing'
import { FetchBudget } from './fetch-budget.ts'
import { messagesOf, ProviderFault, type ProviderFaultReason } from './provider-fault.ts'
import { providerFetch } from './provider-fetch.ts'

/** Milliseconds for which the metadata and keys of a provider are used without being fetched again. */
const documentAge = 600_000
const maxDocuments = 1_000

/** Metadata and keys of providers, cached for ten minutes. A document is fetched six times in a minute at most, and keys six times more for tokens that name others. */
export interface ProviderDocuments {
  /** The metadata of an issuer (OpenID Connect Discovery 1.0), which names it exactly. Throws `ProviderFault`. */
  metadata(issuer: string): Promise<client.ServerMetadata>
  /** The keys of a provider; `isStale` has them fetched again, since a token names one that is not there. Throws `ProviderFault`. */
  keys(metadata: client.ServerMetadata, options?: { isStale?: boolean }): Promise<JSONWebKeySet>
  fetch: client.CustomFetch
}

/** Creates the cache of a process. */
export function createProviderDocuments(outgoing: Pick<Outgoing, 'request'>): ProviderDocuments {
  const fetch = providerFetch(outgoing)
  const budget = new FetchBudget()
  /** Of its own, so that tokens with invented keys, which anybody can send, take nothing from what sign-ins need. */
  const renewals = new FetchBudget()
  const bounded = async <Document>(url: string, reason: ProviderFaultReason, load: () => Promise<Document>) => {
    if (!budget.take(url)) throw new ProviderFault(reason, 'it is fetched too often')
    try {
      return await load()
    } catch (error) {
      throw error instanceof ProviderFault ? error : new ProviderFault(reason, messagesOf(error), { cause: error })
    }
  }
  const allMetadata = new LRUCache<string, client.ServerMetadata>({
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
    fetch,
    metadata: async issuer => requireLoaded(await allMetadata.fetch(issuer)),
    async keys({ issuer, jwks_uri: url }, { isStale = false } = {}) {
      if (url === undefined || !isAsSecureAs(url, issuer)) throw new ProviderFault('keys', 'jwks_uri is no https URL')
      const forceRefresh = isStale && renewals.take(url)
      return requireLoaded(await allKeys.fetch(url, { forceRefresh, context: forceRefresh }))
    },
  }
}

/** The options of a client for an issuer: an issuer without TLS is one on this machine. */
export function insecureOptions(issuer: string) {
  return issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
}

async function discover(issuer: string, fetch: client.CustomFetch): Promise<client.ServerMetadata> {
  const url = new URL(issuer)
  const options = { [client.customFetch]: fetch, execute: insecureOptions(issuer) }
  const configuration = await client.discovery(url, 'discovery', undefined, undefined, options)
  // A plain copy: the library marks issuers of some vendors, whose tokens then may name any tenant.
  const metadata = JSON.parse(JSON.stringify(configuration.serverMetadata())) as client.ServerMetadata
  if (new URL(metadata.issuer).href !== url.href)
    throw new ProviderFault('discovery', 'the metadata is that of another issuer')
  return metadata
}

async function fetchKeys(url: string, fetch: client.CustomFetch): Promise<JSONWebKeySet> {
  const headers = { accept: 'application/json' }
  const response = await fetch(url, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (response.status !== 200) throw new ProviderFault('keys', `the status is ${response.status}`)
  const keys = (await response.json()) as Partial<JSONWebKeySet> | null
  if (!Array.isArray(keys?.keys)) throw new ProviderFault('keys', 'the document has no keys')
  return keys as JSONWebKeySet
}

function isAsSecureAs(url: string, issuer: string): boolean {
  return url.startsWith('https:') || issuer.startsWith('http:')
}

function requireLoaded<Document>(document: Document | undefined): Document {
  if (document === undefined) throw new ProviderFault('discovery', 'the request was given up')
  return document
}
