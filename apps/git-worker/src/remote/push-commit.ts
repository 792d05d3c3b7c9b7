import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { flush, packet, readPackets } from '@recto/git-pack'
import type { Outgoing } from '@recto/outgoing'
import { ImportFailure, truncateMiddle } from '@recto/repository-content'
import { withImportFailures } from '../failures/pack-failure.ts'
import { readPushReport, type PushReport } from './push-report.ts'
import { discover, httpFailure, type Source } from './discover.ts'
import { requestGit } from './git-request.ts'
import { plainText } from '../failures/plain-text.ts'

/** A commit to push: the branch moves from one commit to the other, or not at all. */
export interface Push {
  source: Source
  ref: string
  /** The expected tip of the branch; undefined when it does not exist. */
  from: string | undefined
  to: string
  /** A file with the objects of the commit that the server lacks. */
  pack: string
  /** Replaces the branch, whatever its tip is. */
  force: boolean
  timeoutMs: number
  signal: AbortSignal
}

const nothing = '0'.repeat(40)
const maxReportBytes = 4 * 1024 * 1024
const maxMessageLength = 4_000
const maxReasonLength = 500

/** Pushes a commit. Resolves to `moved` when the branch has another tip; throws `push_rejected`, with the message of the server, when it refuses. */
export async function pushCommit(outgoing: Outgoing, push: Push): Promise<'pushed' | 'moved'> {
  const now = await branchAt(outgoing, push)
  if (now.tip === push.to) return 'pushed'
  if (now.tip !== push.from && !push.force) return 'moved'
  const { remote } = now
  const capabilities = ['report-status', 'side-band-64k'].filter(name => remote.capabilities.has(name))
  const head = `${packet(`${now.tip ?? nothing} ${push.to} ${push.ref}\0 ${[...capabilities, 'agent=recto'].join(' ')}`)}${flush}`
  const length = Buffer.byteLength(head) + (await stat(push.pack)).size
  const reply = await requestGit(outgoing, {
    url: `${remote.url}/git-receive-pack${remote.query}`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      'content-length': String(length),
      accept: 'application/x-git-receive-pack-result',
      ...(remote.authorization && { authorization: remote.authorization }),
    },
    body: () => Readable.from(requestBody(head, push.pack), { objectMode: false }),
    maxBytes: maxReportBytes,
    timeoutMs: push.timeoutMs,
    signal: push.signal,
  })
  if (reply.status !== 200) throw httpFailure(reply.status)
  const report = await withImportFailures(() =>
    readPushReport(readPackets(reply.body), { ref: push.ref, isExpected: capabilities.includes('report-status') }),
  )
  if (report.ok) return 'pushed'
  // Somebody pushed between the advertisement and the update of the ref.
  if ((await branchAt(outgoing, push)).tip !== now.tip) return 'moved'
  throw rejection(report)
}

async function branchAt(outgoing: Outgoing, { source, ref, signal }: Push) {
  const remote = await discover(outgoing, source, { signal, forPush: true })
  return { remote, tip: remote.refs.find(each => each.ref === ref)?.oid }
}

async function* requestBody(head: string, pack: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  yield* createReadStream(pack, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>
}

function rejection({ reason, messages }: Exclude<PushReport, { ok: true }>): ImportFailure {
  const text = plainText(messages)
  const quote = text === '' ? '' : `; it says: ${truncateMiddle(text, maxMessageLength)}`
  const why = truncateMiddle(plainText(reason), maxReasonLength)
  return new ImportFailure('push_rejected', `The git server refused the push: ${why}${quote}`)
}
