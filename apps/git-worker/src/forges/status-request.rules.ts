import { createHash } from 'node:crypto'
import { type Forge, projectUrlOf } from './forge.rules.ts'

/** The status of a commit to send to a forge. */
export interface SentStatus {
  commit: string
  state: 'pending' | 'success' | 'failure' | 'error'
  description: string
  targetUrl: string | null
  /** Faults of files, for forges that show them beside the lines. */
  annotations: { path: string; line: number; message: string }[]
}

/** The API of a forge, with the token that it takes. */
export interface ForgeApi {
  forge: Forge
  apiUrl: string
  /** The repository. */
  url: string
  token: string
}

/** A request to the API of a forge. */
export interface ForgeRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/** The name under which a forge shows the status; one per space, since several spaces may show one repository. */
export function statusName(spaceId: string): string {
  return `recto/preview/${createHash('sha256').update(spaceId).digest('hex').slice(0, 8)}`
}

const agent = { 'user-agent': 'Recto', accept: 'application/json' }

/** The headers with the token of a request to a forge. */
function forgeHeaders({ forge, token }: Pick<ForgeApi, 'forge' | 'token'>): Record<string, string> {
  if (forge === 'gitlab') return { ...agent, 'private-token': token }
  if (forge !== 'github') return { ...agent, authorization: `token ${token}` }
  return {
    ...agent,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${token}`,
  }
}

/** States of GitLab, which has no state of errors. */
const gitLabStates = { pending: 'pending', success: 'success', failure: 'failed', error: 'canceled' } as const

/** The request that sets the status of a commit. */
export function statusRequest(api: ForgeApi, name: string, status: SentStatus): ForgeRequest {
  const { state, description, targetUrl, commit } = status
  const target = targetUrl === null ? {} : { target_url: targetUrl }
  const body =
    api.forge === 'gitlab'
      ? { name, state: gitLabStates[state], description, ...target }
      : { context: name, state, description, ...target }
  return post(api, `/statuses/${commit}`, body)
}

/** The request that makes a check run of GitHub, which shows faults beside the lines. Only tokens of GitHub Apps may. */
export function checkRequest(api: ForgeApi, name: string, status: SentStatus): ForgeRequest {
  const { state, description, targetUrl, commit, annotations } = status
  const conclusion = state === 'error' ? 'cancelled' : state
  return post(api, '/check-runs', {
    name,
    head_sha: commit,
    ...(targetUrl !== null && { details_url: targetUrl }),
    ...(state === 'pending' ? { status: 'in_progress' } : { status: 'completed', conclusion }),
    output: {
      title: description,
      summary: targetUrl === null ? description : `${description}\n\n[See what changes](${targetUrl}~recto/changes)`,
      annotations: annotations.map(({ path, line, message }) => ({
        path,
        start_line: line,
        end_line: line,
        annotation_level: 'failure',
        message,
      })),
    },
  })
}

function post(api: ForgeApi, path: string, body: object): ForgeRequest {
  return {
    url: `${projectUrlOf(api)}${path}`,
    method: 'POST',
    headers: { ...forgeHeaders(api), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Pull requests that one page of a forge's list has. */
export const pullsPerPage = 50

/** The request that lists open pull requests. */
export function pullsRequest(api: ForgeApi, page: number): ForgeRequest {
  const path =
    api.forge === 'gitlab'
      ? `/merge_requests?state=opened&per_page=${pullsPerPage}&page=${page}`
      : `/pulls?state=open&${api.forge === 'github' ? 'per_page' : 'limit'}=${pullsPerPage}&page=${page}`
  return { url: `${projectUrlOf(api)}${path}`, method: 'GET', headers: forgeHeaders(api) }
}
