import { plainText } from '../failures/plain-text.ts'
import { GitPackError, readPackets, type Packet } from '@recto/git-pack'

/** A server's report on a push: success, or the reason of its refusal with the output of its hooks. */
export type PushReport = { ok: true } | { ok: false; reason: string; messages: string }

/** Reads the reply to a push. Throws when the report is missing, although the server announced one: it broke off. */
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
  const refusal = lines.find(line => line.startsWith(`ng ${ref} `))
  return refusal === undefined ? { ok: true } : { ok: false, reason: refusal.slice(`ng ${ref} `.length), messages }
}

async function* chunksOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

function lineOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trimEnd()
}
