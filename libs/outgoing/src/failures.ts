import { OutgoingFailure } from './outgoing-failure.ts'

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
const tls = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/

/** Maps a connection error to an `OutgoingFailure`: `tls`, `timeout` or `unreachable`. */
export function toOutgoingFailure(error: unknown, host: string): Error {
  const causes = causesOf(error)
  const outgoingFailure = causes.find(cause => cause instanceof OutgoingFailure)
  if (outgoingFailure) return outgoingFailure
  const codes = causes.map(cause => (cause as { code?: unknown }).code).filter(code => typeof code === 'string')
  if (codes.some(code => tls.test(code)))
    return new OutgoingFailure('tls', `The host ${host} offers no trustworthy TLS connection`, { cause: error })
  if (codes.some(code => timeouts.has(code))) return timedOut(host, error)
  return new OutgoingFailure('unreachable', `The host ${host} cannot be reached or broke off the connection`, {
    cause: error,
  })
}

/** Creates the failure for every timeout: connect, headers, idle body, whole exchange. */
export function timedOut(host: string, cause?: unknown): OutgoingFailure {
  return new OutgoingFailure('timeout', `The host ${host} did not answer in time`, { cause })
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  const open: unknown[] = [error]
  for (let next = open.pop(); next !== undefined && chain.length < 10; next = open.pop()) {
    if (!(next instanceof Error)) continue
    chain.push(next)
    open.push(next.cause, ...(next instanceof AggregateError ? next.errors : []))
  }
  return chain
}
