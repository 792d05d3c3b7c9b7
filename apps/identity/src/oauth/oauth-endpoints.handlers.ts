import { oauth, oauthDocuments, oauthEndpoints, wellKnown } from '@recto/contracts-identity'
import { feature, routeOf, type HttpReply, type Operation } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'

interface Input {
  params: Record<string, string>
  query: Record<string, string | string[]>
  headers: Record<string, string | undefined>
  raw?: Uint8Array
}

/** The handler of a row: it hands the request to the authorization server, under the address that it came to. */
function passOn(row: Operation, base: string) {
  const { method, path } = routeOf(row) ?? { method: 'GET', path: '' }
  // Failures are pages for people, and JSON for programs, whatever is accepted.
  const accept = row.response?.failurePage ? 'text/html' : 'application/json'
  return ({ params, query, headers, raw }: Input, context: BaseContext): Promise<HttpReply> => {
    const place = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => [value].flat().map(one => [name, one])),
    )
    const url = `${base}${place}${search.size > 0 ? `?${search}` : ''}`
    return context.oauth.answer(
      { method: method === 'POST' ? 'POST' : 'GET', url, headers: { ...headers, accept }, body: raw },
      context,
    )
  }
}

type PassOn = ReturnType<typeof passOn>

function handlersOf<Rows extends Record<string, Operation>>(rows: Rows, base: string): Record<keyof Rows, PassOn> {
  const handlers = Object.entries(rows).map(([id, row]) => [id, passOn(row, base)])
  return Object.fromEntries(handlers) as Record<keyof Rows, PassOn>
}

export const oauthEndpointFeature = feature<BaseContext>()(oauthEndpoints, handlersOf(oauthEndpoints, oauth.base))

export const oauthDocumentFeature = feature<BaseContext>()(oauthDocuments, handlersOf(oauthDocuments, wellKnown.base))
