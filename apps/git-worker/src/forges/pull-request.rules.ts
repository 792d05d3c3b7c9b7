import { z } from 'zod'

/** A pull request as its forge describes it, in a webhook or in a list. */
export interface PullRequest {
  number: number
  title: string
  /** Its page at the forge. */
  url: string | null
  state: 'open' | 'merged' | 'closed'
  head: string | null
  /** The branch that it is for, without `refs/heads/`. */
  target: string
  changedAt: Date
}

const number = z.number().int().min(1).max(999_999_999)
const commit = z.string().regex(/^[0-9a-f]{40}$/)
const time = z.string().transform((value, context) => {
  // GitLab sends `2026-11-26 10:00:00 UTC` in webhooks.
  const date = new Date(value.replace(/^(\S+) (\S+) UTC$/, '$1T$2Z'))
  if (!Number.isNaN(date.getTime())) return date
  context.addIssue({ code: 'custom', message: 'must be a time' })
  return z.NEVER
})

const OfGitHub = z.object({
  number,
  title: z.string(),
  html_url: z.string().optional(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  head: z.object({ sha: commit }),
  base: z.object({ ref: z.string() }),
  updated_at: time,
})

const OfGitLab = z.object({
  iid: number,
  title: z.string(),
  url: z.string().optional(),
  web_url: z.string().optional(),
  state: z.enum(['opened', 'closed', 'merged', 'locked']),
  sha: commit.nullish(),
  last_commit: z.object({ id: commit }).nullish(),
  target_branch: z.string(),
  updated_at: time,
})

const maxTitleLength = 500
const maxUrlLength = 2_048

/** Reads a pull request of GitHub, Gitea or Forgejo, or a merge request of GitLab; undefined for anything else. */
export function readPullRequest(value: unknown): PullRequest | undefined {
  const ofGitHub = OfGitHub.safeParse(value)
  if (ofGitHub.success) return fromGitHub(ofGitHub.data)
  const ofGitLab = OfGitLab.safeParse(value)
  return ofGitLab.success ? fromGitLab(ofGitLab.data) : undefined
}

function fromGitHub(pull: z.output<typeof OfGitHub>): PullRequest {
  const isMerged = pull.merged === true || typeof pull.merged_at === 'string'
  return {
    number: pull.number,
    title: titleOf(pull.title),
    url: pageUrlOf(pull.html_url),
    state: pull.state === 'open' ? 'open' : isMerged ? 'merged' : 'closed',
    head: pull.head.sha,
    target: pull.base.ref,
    changedAt: pull.updated_at,
  }
}

function fromGitLab(pull: z.output<typeof OfGitLab>): PullRequest {
  return {
    number: pull.iid,
    title: titleOf(pull.title),
    url: pageUrlOf(pull.url ?? pull.web_url),
    // A merge request is locked while it is being merged.
    state: pull.state === 'opened' || pull.state === 'locked' ? 'open' : pull.state,
    head: pull.last_commit?.id ?? pull.sha ?? null,
    target: pull.target_branch,
    changedAt: pull.updated_at,
  }
}

function titleOf(title: string): string {
  return [...title.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()].slice(0, maxTitleLength).join('')
}

/** Only addresses of web pages are shown as links. */
function pageUrlOf(url: string | undefined): string | null {
  return url !== undefined && url.length <= maxUrlLength && /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/u.test(url) ? url : null
}

const Event = z.union([
  z.object({ pull_request: z.unknown() }).transform(event => event.pull_request),
  z
    .object({ object_kind: z.literal('merge_request'), object_attributes: z.unknown() })
    .transform(event => event.object_attributes),
])

/** Reads the pull request of a webhook's body; undefined when it has none. */
export function pullRequestOfEvent(body: unknown): PullRequest | undefined {
  const event = Event.safeParse(body)
  return event.success ? readPullRequest(event.data) : undefined
}
