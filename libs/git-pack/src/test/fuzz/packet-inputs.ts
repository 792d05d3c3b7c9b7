import { damaged } from './mutations.ts'
import type { Random } from './random.ts'

/** The start of a protocol version 2 request in which git accepts arbitrary lines. */
export const requestHead = frame(Buffer.from('command=object-info\n')) + '0001'

/** Generates a packet stream: requests of arbitrary lines, intact or damaged. */
export function aConversation(random: Random): Buffer {
  const requests = Array.from({ length: 1 + random.below(3) }, () => aRequest(random))
  const whole = Buffer.from(requests.join(''), 'latin1')
  return random.percent(90) ? whole : damaged(whole, random)
}

function aRequest(random: Random): string {
  const lines = Array.from({ length: random.below(6) }, () => frame(aLine(random), random))
  if (random.percent(2))
    lines.push(
      random.pick(['0001', '0002', '0003', '0004', '0000', 'FFFF', 'fff0', '+004', ' 004', '0x05', '-001', '000g']),
    )
  return requestHead + lines.join('') + (random.percent(99) ? '0000' : '')
}

function aLine(random: Random): Buffer {
  const line =
    random.below(1_000) < 2
      ? random.text(65_500 + random.below(30))
      : random.percent(50)
        ? random.text(random.below(80))
        : random.bytes(random.below(80))
  return random.percent(30) ? Buffer.concat([line, Buffer.from('\n')]) : line
}

/** Writes the hex lengths in lower case, as git does, or in upper case. */
function frame(line: Buffer, random?: Random): string {
  const digits = (line.length + 4).toString(16).padStart(4, '0')
  return (random?.percent(5) ? digits.toUpperCase() : digits) + line.toString('latin1')
}
