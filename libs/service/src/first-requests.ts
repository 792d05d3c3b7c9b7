import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after which a request no longer waits for all connections that are accepted. */
const longestWait = 500
/** Requests that waited and are answered in one turn of the event loop, so that it gets to new connections soon. */
const answersOfTurn = 8

interface Waiting {
  request: IncomingMessage
  response: ServerResponse
  since: number
}

/**
 * Answers the first request of each connection before later ones of others. Node accepts one connection in each turn of its event loop, so
 * that of a thousand that come at once the last ones would wait for all that the first ones ask next. A later request waits while each turn
 * has a new connection; after half a second, each turn answers one of those that wait. Returns the listener for `request` of the server.
 */
export function firstRequestsFirst(server: Server, listener: RequestListener): RequestListener {
  const sockets = new WeakSet<Socket>()
  const waiting: Waiting[] = []
  /** Whether this turn has accepted a connection, or the one before: there may be more of them. */
  let isAccepting = false
  let isNew = false

  const endTurn = () => {
    isAccepting = isNew
    isNew = false
    const oldest = performance.now() - longestWait
    for (let left = isAccepting ? 1 : answersOfTurn; left > 0; left -= 1) {
      const [next] = waiting
      if (!next || (isAccepting && next.since >= oldest)) break
      waiting.shift()
      listener(next.request, next.response as never)
    }
    if (isAccepting || waiting.length > 0) setImmediate(endTurn)
  }
  server.on('connection', () => {
    isNew = true
    if (isAccepting || waiting.length > 0) return
    isAccepting = true
    setImmediate(endTurn)
  })
  return (request, response) => {
    const isFirst = !sockets.has(request.socket)
    sockets.add(request.socket)
    if (isFirst || (!isAccepting && waiting.length === 0)) listener(request, response as never)
    else waiting.push({ request, response, since: performance.now() })
  }
}
