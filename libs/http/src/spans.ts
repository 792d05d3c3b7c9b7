import { routeOf, toFailure } from '@recto/operation'
import type { SpanOptions } from '@recto/telemetry'
import type { Request, Response } from 'express'
import type { Matched } from './routes.ts'

/** Describes the span of a request by OpenTelemetry's semantic conventions for HTTP servers; without the query, which may hold a secret. */
export function httpSpan(
  { request, response }: { request: Request; response: Response },
  { operation }: Matched,
): SpanOptions {
  return {
    kind: 'server',
    attributes: () => {
      const { path } = routeOf(operation) ?? {}
      const userAgent = request.headers['user-agent']
      return {
        'http.request.method': request.method,
        ...(path !== undefined && { 'http.route': `/v1${path}` }),
        'url.path': request.path,
        'url.scheme': request.protocol,
        'network.protocol.version': request.httpVersion,
        'server.address': request.hostname,
        ...(request.ip !== undefined && { 'client.address': request.ip }),
        ...(userAgent !== undefined && { 'user_agent.original': userAgent }),
      }
    },
    outcome: error => ({
      'http.response.status_code': error === undefined ? response.statusCode : toFailure(error).status,
    }),
  }
}
