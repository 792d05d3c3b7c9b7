import { describe, expect, it } from '@jest/globals'
import { delimiter, flush, packet } from './pkt-line.ts'
import {
  encodeFetchCommand,
  encodeFetchRequest,
  receivePack,
  type FetchRequest,
  type ReceiveOptions,
} from './upload-pack.ts'

const oid = 'a'.repeat(40)
const other = 'b'.repeat(40)
const band = (number: number, text: string) => packet(String.fromCharCode(number) + text)

async function receive(answer: string, options: Partial<ReceiveOptions> = {}) {
  const chunks: string[] = []
  async function* stream() {
    yield Buffer.from(answer)
  }
  const result = await receivePack(
    stream(),
    { shallow: [], maxBytes: 1_000, ...options },
    async bytes => void chunks.push(Buffer.from(bytes).toString()),
  )
  return { ...result, chunks }
}

describe('a request', () => {
  const request: FetchRequest = {
    want: oid,
    haves: [],
    shallow: [],
    capabilities: new Set(['side-band-64k', 'ofs-delta', 'shallow', 'thin-pack']),
    agent: 'test',
  }
  const want = packet(`want ${oid} side-band-64k ofs-delta agent=test\n`)

  it('requests one commit without its history, and never a thin pack', () =>
    expect(encodeFetchRequest(request)).toBe(want + packet('deepen 1\n') + flush + packet('done\n')))

  it('lists the commits present locally', () =>
    expect(encodeFetchRequest({ ...request, haves: [other], shallow: [other] })).toBe(
      want + packet(`shallow ${other}\n`) + flush + packet(`have ${other}\n`) + packet('done\n'),
    ))

  it('requests only capabilities that the server advertised', () =>
    expect(encodeFetchRequest({ ...request, capabilities: new Set(['side-band-64k']) })).toBe(
      packet(`want ${oid} side-band-64k agent=test\n`) + flush + packet('done\n'),
    ))

  it('is refused for a server without side-band-64k', () =>
    expect(() => encodeFetchRequest({ ...request, capabilities: new Set() })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    ))
})

describe('a fetch command', () => {
  const command = { wants: [oid], haves: [], shallow: [], withoutHistory: false, withoutBlobs: false, agent: 'test' }
  const head =
    packet('command=fetch\n') +
    packet('agent=test') +
    packet('object-format=sha1') +
    delimiter +
    packet('no-progress\n') +
    packet('ofs-delta\n')

  it('requests single objects by their ids', () =>
    expect(encodeFetchCommand({ ...command, wants: [oid, other] })).toBe(
      head + packet(`want ${oid}\n`) + packet(`want ${other}\n`) + packet('done\n') + flush,
    ))

  it('requests a commit without its history and without files', () =>
    expect(encodeFetchCommand({ ...command, withoutHistory: true, withoutBlobs: true })).toBe(
      head + packet(`want ${oid}\n`) + packet('deepen 1\n') + packet('filter blob:none\n') + packet('done\n') + flush,
    ))

  it('lists the commits present locally', () =>
    expect(encodeFetchCommand({ ...command, haves: [other], shallow: [other] })).toBe(
      head +
        packet(`want ${oid}\n`) +
        packet(`have ${other}\n`) +
        packet(`shallow ${other}\n`) +
        packet('done\n') +
        flush,
    ))
})

describe('a response', () => {
  it('may come in sections', async () => {
    const answer = [
      packet('shallow-info\n'),
      packet(`shallow ${oid}\n`),
      delimiter,
      packet('packfile\n'),
      band(2, 'Counting'),
      band(1, 'PACK'),
      flush,
    ]
    const expected = { bytes: 4, shallow: [oid], chunks: ['PACK'] }
    expect(await receive(answer.join(''), { inSections: true })).toEqual(expected)
  })

  it('contains the pack on side band 1, and the new shallow boundary', async () => {
    const answer = [
      packet(`shallow ${oid}\n`),
      packet(`unshallow ${other}\n`),
      flush,
      packet('NAK\n'),
      band(2, 'Counting'),
      band(1, 'PA'),
      packet(''),
      band(1, 'CK'),
      flush,
    ].join('')
    const progress: number[] = []
    expect(await receive(answer, { shallow: [other], onBytes: bytes => void progress.push(bytes) })).toEqual({
      chunks: ['PA', 'CK'],
      bytes: 4,
      shallow: [oid],
    })
    expect(progress).toEqual([2, 4])
  })

  it.each([
    ['remote_error', band(3, 'fatal: out of memory')],
    ['remote_error', packet('ERR access denied')],
    ['unsupported', '0001'],
    ['invalid', packet('shallow ../../x\n')],
    ['invalid', packet('NAK\n') + flush],
    ['invalid', band(1, 'PACK').slice(0, -1)],
    ['too_large', band(1, 'P'.repeat(1_001))],
  ])('is refused as %s when it is %j', (code, answer) =>
    expect(receive(answer)).rejects.toMatchObject({ code, message: expect.not.stringMatching(/denied|memory|x$/) }),
  )
})
