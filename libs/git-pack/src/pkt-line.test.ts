import { describe, expect, it } from 'vitest'
import { flush, packet, readPackets } from './pkt-line.ts'

const invalid = expect.objectContaining({ code: 'invalid' })

async function* stream(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function packets(text: string, size: number) {
  const found: (string | undefined)[] = []
  for await (const packet of readPackets(stream(text, size))) found.push(packet && Buffer.from(packet).toString())
  return found
}

describe('packets', () => {
  it.each([1, 3, 5, 1_000])('are cut out of chunks of %s bytes', async size =>
    expect(await packets(packet('want é\n') + flush + packet('') + packet('done'), size)).toEqual(['want é\n', undefined, '', 'done']))

  it.each(['zzzz', '0003', '00', '0009ab', '<html>'])('%j is not the git protocol', text => expect(packets(text, 100)).rejects.toEqual(invalid))
})
