import { once } from 'node:events'
import { connect } from 'node:net'

/** A message on the bus, with its headers and payload as they are on the wire. */
export interface TappedMessage {
  subject: string
  /** Where the answer goes, of a request. */
  replyTo: string | undefined
  bytes: Buffer
}

const line = '\r\n'

/** Records every message of a nats-server, those of JetStream too; the URL is that of a user who may subscribe to everything. */
export async function aNatsTap(url: string): Promise<{ messages: TappedMessage[]; stop(): void }> {
  const { hostname, port, username, password } = new URL(url)
  const socket = connect(Number(port), hostname)
  const messages: TappedMessage[] = []
  let waiting: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const user = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  socket.write(
    `CONNECT ${JSON.stringify({ ...user, verbose: false, headers: true, lang: 'tap' })}${line}SUB > 1${line}PING${line}`,
  )
  await new Promise<void>(resolve =>
    socket.on('data', chunk => {
      waiting = Buffer.concat([waiting, chunk])
      waiting = takeMessages(waiting, { messages, pong: () => socket.write(`PONG${line}`), ready: resolve })
    }),
  )
  return { messages, stop: () => socket.destroy() }
}

interface MessageHandlers {
  messages: TappedMessage[]
  pong(): void
  ready(): void
}

/** Reads whole operations of the protocol, and returns the rest. */
function takeMessages(bytes: Buffer, { messages, pong, ready }: MessageHandlers): Buffer {
  for (let rest = bytes; ;) {
    const end = rest.indexOf(line)
    if (end < 0) return rest
    const words = rest.toString('utf8', 0, end).split(' ')
    const start = end + line.length
    if (words[0] === 'PING') pong()
    if (words[0] === 'PONG') ready()
    if (words[0] !== 'MSG' && words[0] !== 'HMSG') {
      rest = rest.subarray(start)
      continue
    }
    const size = Number(words.at(-1))
    if (rest.length < start + size + line.length) return rest
    const hasReply = words.length === (words[0] === 'MSG' ? 5 : 6)
    const content = Buffer.from(rest.subarray(start, start + size))
    messages.push({ subject: words[1] ?? '', replyTo: hasReply ? words[3] : undefined, bytes: content })
    rest = rest.subarray(start + size + line.length)
  }
}
