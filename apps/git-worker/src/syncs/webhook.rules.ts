import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '@recto/operation'
import { z } from 'zod'

/** The headers of a webhook by lower-case name. */
export type WebhookHeaders = Partial<Record<string, string>>

const sameText = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** The signature of the body of a webhook. */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/**
 * Whether a webhook, whose body has a signature, was sent by who knows the secret: GitHub, Gitea and Forgejo sign the body, GitLab sends the
 * secret itself. All forms are compared, in constant time, whatever is there.
 */
export function matchesSignature(secret: string, headers: WebhookHeaders, signature: string): boolean {
  const matches = [
    sameText(headers['x-hub-signature-256'] ?? '', `sha256=${signature}`),
    sameText(headers['x-gitea-signature'] ?? '', signature),
    sameText(headers['x-forgejo-signature'] ?? '', signature),
    sameText(headers['x-gitlab-token'] ?? '', secret),
  ]
  return matches.includes(true)
}

const Push = z.object({ ref: z.string(), after: z.string(), deleted: z.boolean().optional() })
const noCommit = /^0+$/
const eventHeaders = ['x-github-event', 'x-gitea-event', 'x-forgejo-event', 'x-gitlab-event']
const pushEvents = ['push', 'Push Hook']

/** A webhook's report on a branch: the commit that it is at now, or why it is of no interest. */
export type ReadPush = { commit: string } | { ignored: string }

/** Why a webhook is of no interest whatever its body says; undefined for a push. */
export function readEvent(headers: WebhookHeaders): { ignored: string } | undefined {
  const event = eventHeaders.map(name => headers[name]).find(named => named !== undefined)
  if (event === 'ping') return { ignored: 'The webhook works' }
  return event !== undefined && pushEvents.includes(event) ? undefined : { ignored: 'Only pushes are of interest' }
}

/** Reads a webhook whose signature was checked. Throws `invalid_request` for a push that cannot be read. */
export function readPush(headers: WebhookHeaders, body: Uint8Array, ref: string): ReadPush {
  const uninteresting = readEvent(headers)
  if (uninteresting) return uninteresting
  const push = Push.safeParse(parsed(body))
  if (!push.success)
    throw new Failure('invalid_request', 'The body must be the JSON of a push', {
      details: [{ path: 'body', message: 'must be the JSON of a push' }],
    })
  const { after, deleted } = push.data
  if (push.data.ref !== ref) return { ignored: 'The push is to another branch' }
  if (deleted === true || noCommit.test(after)) return { ignored: 'The branch was deleted' }
  return { commit: after }
}

/** GitHub sends JSON, or a form with JSON in it. */
function parsed(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString()
  try {
    return JSON.parse(text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch {
    return undefined
  }
}
