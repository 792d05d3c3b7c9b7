import { describe, expect, it } from '@jest/globals'
import { flush, packet, readPackets } from './pkt-line.ts'

const invalid = expect.objectContaining({ code: 'invalid' })

async function* stream(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function packets(text: string, size: number) {
  const lines: string[] = []
  for await (const packet of readPackets(stream(text, size)))
    lines.push(typeof packet === 'string' ? `(${packet})` : Buffer.from(packet).toString())
  return lines
}

describe('packets', () => {
  it.each([1, 3, 5, 1_000])('are split from chunks of %s bytes', async size =>
    expect(await packets(packet('want é\n') + flush + packet('') + '00010002' + packet('done'), size)).toEqual([
      'want é\n',
      '(flush)',
      '',
      '(delimiter)',
      '(response-end)',
      'done',
    ]),
  )

  it('have at most the length that git accepts', async () => {
    const longest = 'a'.repeat(65_519)
    expect(await packets(packet(longest), 1_000)).toEqual([longest])
    await expect(packets(packet(`${longest}a`), 1_000)).rejects.toEqual(invalid)
  })

  it.each(['zzzz', '0003', '00', '0009ab', '<html>'])('%j is not the git protocol', text =>
    expect(packets(text, 100)).rejects.toEqual(invalid),
  )
})
