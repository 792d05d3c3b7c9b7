import { plainText } from '../failures/plain-text.ts'
import { GitPackError, readPackets, type Packet } from '@recto/git-pack'

/** What a server says of a push: that it is done, or why not, with what its hooks printed. */
export type PushReport = { ok: true } | { ok: false; reason: string; messages: string }

/** Reads the answer to a push. A server that reports nothing, although it said that it would, broke off. */
export async function readPushReport(
  packets: AsyncIterable<Packet>,
  { ref, isExpected }: { ref: string; isExpected: boolean },
): Promise<PushReport> {
  const report: Uint8Array[] = []
  let messages = ''
  const lines: string[] = []
  for await (const each of packets) {
    if (typeof each === 'string') continue
    const band = each[0]
    if (band === 1) report.push(each.subarray(1))
    else if (band === 2 || band === 3) messages += Buffer.from(each.subarray(1)).toString('utf8')
    else lines.push(lineOf(each))
  }
  for await (const each of readPackets(chunksOf(report))) if (typeof each !== 'string') lines.push(lineOf(each))
  const unpack = lines.find(line => line.startsWith('unpack '))
  if (unpack === undefined && isExpected)
    throw new GitPackError(
      'remote_error',
      `The git server broke off during the push: ${plainText(messages) || 'no report'}`,
    )
  if (unpack !== undefined && unpack !== 'unpack ok')
    return { ok: false, reason: unpack.slice('unpack '.length), messages }
  const refused = lines.find(line => line.startsWith(`ng ${ref} `))
  return refused === undefined ? { ok: true } : { ok: false, reason: refused.slice(`ng ${ref} `.length), messages }
}

async function* chunksOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

function lineOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trimEnd()
}
