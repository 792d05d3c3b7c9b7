import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A DNS server on loopback that has TXT records. */
export interface TestDnsServer {
  /** For `DNS_SERVERS`. */
  address: string
  /** Sets the TXT records at a name; none unless given, and no answer but SERVFAIL for `undefined`. */
  setRecords(name: string, values: string[] | undefined): void
  stop(): Promise<void>
}

const responseFlags = 0x8400
const serverFailure = 2
const noSuchName = 3
const txt = 16

/** Starts a server that speaks as much of RFC 1035 as a resolver needs to read TXT records. */
export async function aDnsServer(): Promise<TestDnsServer> {
  const records = new Map<string, string[] | undefined>()
  const socket = createSocket('udp4')
  socket.on('message', (request, { port, address }) => {
    const name = nameIn(request)
    const values = records.has(name) ? records.get(name) : []
    socket.send(reply(request, values), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    setRecords: (name, values) => void records.set(name, values),
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function nameIn(request: Buffer): string {
  const labels: string[] = []
  for (let at = 12; (request[at] ?? 0) > 0; at += (request[at] ?? 0) + 1)
    labels.push(request.subarray(at + 1, at + 1 + (request[at] ?? 0)).toString())
  return labels.join('.').toLowerCase()
}

function reply(request: Buffer, values: string[] | undefined): Buffer {
  const question = request.subarray(12, request.indexOf(0, 12) + 5)
  const code = values === undefined ? serverFailure : values.length === 0 ? noSuchName : 0
  const header = Buffer.alloc(12)
  request.copy(header, 0, 0, 2)
  header.writeUInt16BE(responseFlags | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values?.length ?? 0, 6)
  return Buffer.concat([header, question, ...(values ?? []).map(answer)])
}

/** A TXT record at the name of the question, in strings of at most 255 bytes. */
function answer(value: string): Buffer {
  const strings = value.match(/.{1,255}/gs) ?? ['']
  const data = Buffer.concat(strings.map(text => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(txt, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
