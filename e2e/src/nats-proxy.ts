import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { aHold, type Hold } from './git-proxy.ts'

/** A message between a NATS client and the server. */
export interface BusMessage {
  /** The name that the client gave when it connected. */
  client: string
  to: 'server' | 'client'
  subject: string
  body: Buffer
  /** The message that this one replies to, as far as it passed on the same connection. */
  request: { subject: string; body: Buffer } | undefined
}

/** A TCP proxy in front of a NATS server, which keeps back chosen messages. */
export interface NatsProxy {
  port: number
  /** Keeps back all messages that match until the release; those of a connection that has ended by then are lost. */
  hold(matches: (message: BusMessage) => boolean): Hold
  stop(): Promise<void>
}

type Held = { matches: (message: BusMessage) => boolean; hold: ReturnType<typeof aHold> }

/** Starts a proxy in front of the NATS server at a port of 127.0.0.1. */
export async function aNatsProxy(target: number): Promise<NatsProxy> {
  const all = new Set<Held>()
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    const connection = { client, upstream, all, name: '', requests: new Map() }
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      const to = socket === client ? 'server' : 'client'
      socket.on(
        'data',
        readFrames(frame => passOn(connection, to, frame)),
      )
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hold: matches => {
      const held = { matches, hold: aHold() }
      all.add(held)
      void held.hold.released.then(() => all.delete(held))
      return held.hold
    },
    stop: async () => {
      for (const { hold } of all) hold.release()
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** A line of the protocol, with the message that it announces. */
interface Frame {
  bytes: Buffer
  verb: string
  words: string[]
  body: Buffer
}

/** Splits what arrives into the frames of the protocol: messages say their size in the last word of their line. */
function readFrames(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n')
      if (end === -1) return
      const [verb = '', ...words] = rest
        .toString('latin1', 0, end)
        .trim()
        .split(/[ \t]+/)
      const isMessage = ['PUB', 'HPUB', 'MSG', 'HMSG'].includes(verb)
      const size = isMessage ? Number(words.at(-1)) : -2
      const length = end + 2 + size + 2
      if (rest.length < length) return
      const headers = verb.startsWith('H') ? Number(words.at(-2)) : 0
      const body = isMessage ? rest.subarray(end + 2 + headers, end + 2 + size) : Buffer.alloc(0)
      onFrame({ bytes: rest.subarray(0, length), verb, words, body })
      rest = rest.subarray(length)
    }
  }
}

interface Connection {
  client: Socket
  upstream: Socket
  all: Set<Held>
  name: string
  /** Messages by the subject that a reply to them goes to. */
  requests: Map<string, { subject: string; body: Buffer }>
}

function passOn(connection: Connection, to: BusMessage['to'], { bytes, verb, words, body }: Frame): void {
  const socket = to === 'server' ? connection.upstream : connection.client
  if (verb === 'CONNECT')
    connection.name = (JSON.parse(bytes.toString().slice('CONNECT '.length)) as { name: string }).name
  if (!/^H?(PUB|MSG)$/.test(verb)) return void socket.write(bytes)
  const subject = words[0] ?? ''
  const sizes = verb.startsWith('H') ? 2 : 1
  // A message to a client also says the subscription.
  const reply = words.slice(to === 'server' ? 1 : 2, -sizes)[0]
  if (reply !== undefined) connection.requests.set(reply, { subject, body })
  const message = { client: connection.name, to, subject, body, request: connection.requests.get(subject) }
  const held = [...connection.all].find(({ matches }) => matches(message))
  if (!held) return void socket.write(bytes)
  held.hold.reach()
  void held.hold.released.then(() => socket.destroyed || socket.write(bytes))
}
