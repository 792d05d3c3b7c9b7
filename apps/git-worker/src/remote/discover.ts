import type { GitCredentials } from '@recto/contracts-git-worker-bus'
import { GitPackError, readPackets } from '@recto/git-pack'
import { type Outgoing, OutgoingFailure } from '@recto/outgoing'
import git from 'isomorphic-git'
import type { z } from 'zod'
import { ImportFailure } from '@recto/repository-content'
import type { RemoteRef } from './branches.ts'
import { requestGit } from './git-request.ts'
import { httpPlugin } from './http-plugin.ts'

/** Limit on the bytes that are read of a server's capabilities. A server that answers in version 1 also lists its refs, which are not read. */
const maxCapabilityBytes = 64 * 1024

/** The URL of a repository, and the credentials to read it. */
export interface Source {
  url: string
  credentials?: z.output<typeof GitCredentials> | undefined
}

/** A server's ref advertisement. `url` is the final URL after redirects, `authorization` the accepted header. */
export interface Remote {
  url: string
  authorization: string | undefined
  /** Query string of every request, with its question mark; secret. */
  query: string
  refs: RemoteRef[]
  capabilities: Set<string>
}

/** Reads the refs and capabilities of a server. Throws `ImportFailure` or `OutgoingFailure`. */
export async function discover(
  outgoing: Outgoing,
  source: Source,
  { signal, forPush = false }: { signal: AbortSignal; forPush?: boolean },
): Promise<Remote> {
  const url = source.url.replace(/\/+$/, '')
  const { query = '', username = '', password = '' } = source.credentials ?? {}
  const http = httpPlugin(outgoing, { query, signal })
  try {
    const info = await git.getRemoteInfo2({
      http,
      url,
      protocolVersion: 1,
      forPush,
      onAuth: () => (username || password ? { username, password } : { cancel: true }),
    })
    if (info.protocolVersion !== 1)
      throw new ImportFailure('invalid_repository', 'The git server uses a protocol version that is not supported')
    const repositoryUrl = repositoryUrlOf(http.lastUrl(), url)
    const refs = (info.refs ?? []).map(({ ref, oid }) => ({ ref, oid }))
    const isSameOrigin = new URL(repositoryUrl).origin === new URL(url).origin
    const secrets = isSameOrigin
      ? { authorization: http.lastAuthorization(), query }
      : { authorization: undefined, query: '' }
    return { url: repositoryUrl, ...secrets, refs, capabilities: capabilitySet(info.capabilities) }
  } catch (error) {
    throw toDiscoveryFailure(error, forPush ? 'writing to' : 'reading')
  }
}

/**
 * Whether a server sends commits without their files, and files by their ids (protocol version 2 with `filter`). A server that fails here gets
 * the requests of a whole clone.
 */
export async function sendsPartially(outgoing: Outgoing, remote: Remote, signal: AbortSignal): Promise<boolean> {
  // A server without filters in version 1 of the protocol has none in version 2.
  if (!remote.capabilities.has('filter')) return false
  const headers = { 'git-protocol': 'version=2', ...(remote.authorization && { authorization: remote.authorization }) }
  const separator = remote.query === '' ? '' : `&${remote.query.slice(1)}`
  const url = `${remote.url}/info/refs?service=git-upload-pack${separator}`
  try {
    const reply = await requestGit(outgoing, { url, headers, maxBytes: maxCapabilityBytes, signal })
    if (reply.status !== 200) return false
    const lines: string[] = []
    for await (const line of readPackets(reply.body))
      if (typeof line !== 'string') lines.push(Buffer.from(line).toString().trim())
    const fetch = lines.find(line => line.startsWith('fetch='))
    return lines.includes('version 2') && (fetch?.slice('fetch='.length).split(' ').includes('filter') ?? false)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof GitPackError || error instanceof OutgoingFailure) return false
    throw error
  }
}

/** The repository URL after redirects: a renamed repository redirects, and git continues at its new URL. */
function repositoryUrlOf(finalUrl: string | undefined, requestedUrl: string): string {
  const place = finalUrl?.split('?')[0]
  return place?.endsWith('/info/refs') ? place.slice(0, -'/info/refs'.length) : requestedUrl
}

function capabilitySet(capabilities: Record<string, string | true | object>): Set<string> {
  return new Set(Object.keys(capabilities))
}

function toDiscoveryFailure(error: unknown, purpose: string): unknown {
  const { code, data } = error as { code?: unknown; data?: { statusCode?: number } }
  if (code === 'UserCanceledError')
    return new ImportFailure(
      'authentication_failed',
      `The repository does not exist, or ${purpose} it needs credentials`,
    )
  if (code === 'HttpError') return httpFailure(data?.statusCode ?? 0)
  if (
    code === 'SmartHttpError' ||
    code === 'ParseError' ||
    code === 'EmptyServerResponseError' ||
    code === 'RemoteCapabilityError' ||
    code === 'AssertServerResponseFail'
  ) {
    return new ImportFailure(
      'repository_not_found',
      'What answers at this URL is not a git repository, or does not speak the smart HTTP protocol of git',
    )
  }
  return error
}

/** Maps the status of a git server to an `ImportFailure`. */
export function httpFailure(status: number): ImportFailure {
  if (status === 401 || status === 403)
    return new ImportFailure('authentication_failed', `The git server refused the credentials (status ${status})`)
  if (status === 404 || status === 410)
    return new ImportFailure('repository_not_found', `The repository was not found (status ${status})`)
  if (status === 413) return new ImportFailure('too_large', 'The git server refuses requests of this size (status 413)')
  if (status === 429 || status >= 500)
    return new ImportFailure('unreachable', `The git server cannot answer now (status ${status})`)
  return new ImportFailure('invalid_repository', `The git server answered with status ${status}`)
}
