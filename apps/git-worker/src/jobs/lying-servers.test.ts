import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { readPackets } from '@recto/git-pack'
import { afterEach, expect, it } from '@jest/globals'
import { editResponse, wrongLength } from '../test/faulty-proxy.ts'
import { aServerSetup, type Direction, type ServerSetup } from '../test/server-setup.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

async function servers(): Promise<ServerSetup> {
  const serverSetup = await aServerSetup()
  open.push(() => serverSetup.stop())
  return serverSetup
}

const frame = (bytes: Buffer) => Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])

/** Extracts the pack of a response. */
async function packOf(body: Buffer): Promise<Buffer> {
  const bands: Uint8Array[] = []
  async function* whole() {
    yield body
  }
  for await (const packet of readPackets(whole()))
    if (typeof packet !== 'string' && packet[0] === 1) bands.push(packet.subarray(1))
  return Buffer.concat(bands)
}

/** A response with a pack whose checksum is right. */
function responseWith(content: Buffer): Buffer {
  const pack = Buffer.concat([content, createHash('sha1').update(content).digest()])
  const parts: Buffer[] = [frame(Buffer.from('NAK\n'))]
  for (let at = 0; at < pack.length; at += 60_000)
    parts.push(frame(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])))
  return Buffer.concat([...parts, Buffer.from('0000')])
}

function withObjectCount(pack: Buffer, count: number): Buffer {
  const changed = Buffer.from(pack.subarray(0, -20))
  changed.writeUInt32BE(count, 8)
  return changed
}

/** A pack with the first size changed by its lowest bits. */
function withObjectSize(pack: Buffer, by: number): Buffer {
  const changed = Buffer.from(pack.subarray(0, -20))
  const first = changed[12] ?? 0
  changed[12] = (first & 0xf0) | ((first + by) & 0x0f)
  return changed
}

/** A pack of one blob that says it has ten bytes, and inflates to many megabytes. */
function bomb(): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
  return Buffer.concat([head, Buffer.from([0x3a]), deflateSync(Buffer.alloc(64 * 1024 * 1024))])
}

const lies: [string, (pack: Buffer) => Buffer][] = [
  ['one object more', pack => withObjectCount(pack, pack.readUInt32BE(8) + 1)],
  ['one object less', pack => withObjectCount(pack, pack.readUInt32BE(8) - 1)],
  ['no object', pack => withObjectCount(pack, 0)],
  ['four thousand million objects', pack => withObjectCount(pack, 0xff_ff_ff_ff)],
  ['an object that is larger than its content', pack => withObjectSize(pack, 1)],
  ['an object that is smaller than its content', pack => withObjectSize(pack, -1)],
  ['an object that inflates to more than it says', bomb],
  ['objects that are not those of the branch', () => Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')],
  ['another version', pack => Buffer.concat([pack.subarray(0, 7), Buffer.from([9]), pack.subarray(8, -20)])],
]

it.each((['import', 'export'] as Direction[]).flatMap(direction => lies.map(lie => [direction, ...lie] as const)))(
  'An %s from a server whose pack says %s ends with a reason, and the next one succeeds',
  async (direction, _title, lie) => {
    const serverSetup = await servers()
    let originalBody: Buffer = Buffer.alloc(0)
    serverSetup.proxy.fail(
      'pack',
      editResponse(response => ((originalBody = response.body), response)),
    )
    await serverSetup.run('import')
    const pack = await packOf(originalBody)
    serverSetup.proxy.fail(
      'pack',
      editResponse(response => ({ ...response, body: responseWith(lie(pack)) })),
    )
    const result = await serverSetup.run(direction, { spaceId: 'another' })
    expect(result).toEqual({
      error: expect.objectContaining({ code: expect.stringMatching(/^(invalid_repository|too_large)$/) }),
    })
    expect(serverSetup.commits()).toBe(1)
    serverSetup.proxy.fail('pack', wrongLength(0))
    expect(await serverSetup.run(direction, { spaceId: 'another' })).toEqual({ commit: expect.any(String) })
  },
)

it.each([
  ['import', 'refs'],
  ['import', 'pack'],
  ['export', 'push-refs'],
  ['export', 'push'],
] as const)('An %s from a server that announces ten terabytes as its %s is refused', async (direction, phase) => {
  const serverSetup = await servers()
  serverSetup.proxy.fail(phase, wrongLength(1e13))
  expect(await serverSetup.run(direction)).toEqual({
    error: expect.objectContaining({ code: 'too_large', message: expect.stringContaining('over the limit') }),
  })
})
