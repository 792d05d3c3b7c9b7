import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '@recto/operation'
import { z } from 'zod'
import { pullRequestOfEvent, type PullRequest } from '../forges/pull-request.rules.ts'

/** The headers of a webhook by lower-case name. */
export type WebhookHeaders = Partial<Record<string, string>>

const isSameText = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** Computes the signature of a webhook's body. */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * Whether the sender of a webhook knows the secret: GitHub, Gitea and Forgejo sign the body, GitLab sends the secret itself. All forms are
 * compared, in constant time, whichever headers are present.
 */
export function matchesSignature(secret: string, headers: WebhookHeaders, signature: string): boolean {
  const matches = [
    isSameText(headers['x-hub-signature-256'] ?? '', `sha256=${signature}`),
    isSameText(headers['x-gitea-signature'] ?? '', signature),
    isSameText(headers['x-forgejo-signature'] ?? '', signature),
    isSameText(headers['x-gitlab-token'] ?? '', secret),
  ]
  return matches.includes(true)
}

const Push = z.object({ ref: z.string(), after: z.string(), deleted: z.boolean().optional() })
const noCommit = /^0+$/
const eventHeaders = ['x-github-event', 'x-gitea-event', 'x-forgejo-event', 'x-gitlab-event']
const pushEvents = ['push', 'Push Hook']

const pullEvents = /^(?:pull_request|Merge Request Hook$)/

/** The new tip of the branch after a push, a pull request as far as the body describes one, or why a webhook is ignored. */
export type PushResult = { commit: string } | { pull: PullRequest | undefined } | { ignored: string }

/** Reads the event of a webhook, whatever its body: why it is ignored, or that it is about a pull request; undefined for a push. */
export function readEvent(headers: WebhookHeaders): { ignored: string } | { pull: undefined } | undefined {
  const event = eventHeaders.map(name => headers[name]).find(value => value !== undefined)
  if (event === 'ping') return { ignored: 'The webhook works' }
  if (event !== undefined && pullEvents.test(event)) return { pull: undefined }
  return event !== undefined && pushEvents.includes(event)
    ? undefined
    : { ignored: 'Only pushes and pull requests are of interest' }
}

/** Reads a verified webhook. Throws `invalid_request` for a push that cannot be parsed. */
export function readPush(headers: WebhookHeaders, body: Uint8Array, ref: string): PushResult {
  const event = readEvent(headers)
  if (event && 'pull' in event) return { pull: pullRequestOfEvent(parseBody(body)) }
  if (event) return event
  const push = Push.safeParse(parseBody(body))
  if (!push.success)
    throw new Failure('invalid_request', 'The body must be the JSON of a push', {
      details: [{ path: 'body', message: 'must be the JSON of a push' }],
    })
  const { after, deleted } = push.data
  if (push.data.ref !== ref) return { ignored: 'The push is to another branch' }
  if (deleted === true || noCommit.test(after)) return { ignored: 'The branch was deleted' }
  return { commit: after }
}

/** Parses JSON, or a form with a JSON field, which GitHub can send; undefined when malformed. */
function parseBody(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString()
  try {
    return JSON.parse(text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch {
    return undefined
  }
}
