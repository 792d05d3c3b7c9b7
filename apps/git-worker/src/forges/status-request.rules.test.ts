import { describe, expect, it } from '@jest/globals'
import type { Forge } from './forge.rules.ts'
import { checkRequest, pullsRequest, type SentStatus, statusName, statusRequest } from './status-request.rules.ts'

const commit = 'c0ffee'.padEnd(40, '0')
const status: SentStatus = {
  commit,
  state: 'failure',
  description: '1 new fault',
  targetUrl: 'https://docs.example/',
  annotations: [{ path: 'a.md', line: 3, message: 'The page is not there' }],
}
const apis: Record<Forge, string> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  gitea: 'https://git.example/api/v1',
  forgejo: 'https://codeberg.org/api/v1',
}
const api = (forge: Forge) => ({
  forge,
  apiUrl: apis[forge],
  url: 'https://git.example/acme/docs.git',
  token: 'secret',
})

describe('Statuses', () => {
  it.each<[Forge, string, Record<string, string>, object]>([
    [
      'github',
      `https://api.github.com/repos/acme/docs/statuses/${commit}`,
      { authorization: 'Bearer secret' },
      { context: 'name', state: 'failure' },
    ],
    [
      'gitlab',
      `https://gitlab.com/api/v4/projects/acme%2Fdocs/statuses/${commit}`,
      { 'private-token': 'secret' },
      { name: 'name', state: 'failed' },
    ],
    [
      'gitea',
      `https://git.example/api/v1/repos/acme/docs/statuses/${commit}`,
      { authorization: 'token secret' },
      { context: 'name', state: 'failure' },
    ],
    [
      'forgejo',
      `https://codeberg.org/api/v1/repos/acme/docs/statuses/${commit}`,
      { authorization: 'token secret' },
      { context: 'name', state: 'failure' },
    ],
  ])('The status of a commit is set at %s', (forge, url, headers, body) => {
    const request = statusRequest(api(forge), 'name', status)
    expect(request).toMatchObject({ url, method: 'POST', headers })
    expect(JSON.parse(request.body ?? '')).toEqual({
      ...body,
      description: '1 new fault',
      target_url: 'https://docs.example/',
    })
    expect(request.url).not.toContain('secret')
  })

  it.each<[SentStatus['state'], string, string]>([
    ['pending', 'pending', 'pending'],
    ['success', 'success', 'success'],
    ['failure', 'failed', 'failure'],
    ['error', 'canceled', 'error'],
  ])('The state %s is %s at GitLab and %s elsewhere', (state, atGitLab, elsewhere) => {
    const stateAt = (forge: Forge) =>
      (JSON.parse(statusRequest(api(forge), 'name', { ...status, state }).body ?? '') as { state: string }).state
    expect([stateAt('gitlab'), stateAt('github'), stateAt('gitea')]).toEqual([atGitLab, elsewhere, elsewhere])
  })

  it('A status without an address has none', () =>
    expect(statusRequest(api('github'), 'name', { ...status, targetUrl: null }).body).not.toContain('target_url'))

  it('Two spaces of one repository have statuses of their own', () => {
    expect(statusName('one')).toMatch(/^recto\/preview\/[0-9a-f]{8}$/)
    expect(statusName('one')).not.toBe(statusName('two'))
  })
})

describe('Check runs', () => {
  it.each<[SentStatus['state'], object]>([
    ['pending', { status: 'in_progress' }],
    ['success', { status: 'completed', conclusion: 'success' }],
    ['failure', { status: 'completed', conclusion: 'failure' }],
    ['error', { status: 'completed', conclusion: 'cancelled' }],
  ])('The check run of a commit that is %s leads to the preview and to its changes', (state, expected) => {
    const request = checkRequest(api('github'), 'name', { ...status, state })
    const annotation = { path: 'a.md', start_line: 3, end_line: 3, annotation_level: 'failure' }
    expect(JSON.parse(request.body ?? '')).toMatchObject({
      ...expected,
      head_sha: commit,
      details_url: 'https://docs.example/',
      output: {
        summary: `${status.description}\n\n[See what changes](https://docs.example/~recto/changes)`,
        annotations: [{ ...annotation, message: 'The page is not there' }],
      },
    })
  })

  it('A check run without an address has its description alone', () =>
    expect(JSON.parse(checkRequest(api('github'), 'name', { ...status, targetUrl: null }).body ?? '')).toMatchObject({
      output: { summary: status.description },
    }))
})

it.each<[Forge, string]>([
  ['github', '/repos/acme/docs/pulls?state=open&per_page=50&page=2'],
  ['gitlab', '/projects/acme%2Fdocs/merge_requests?state=opened&per_page=50&page=2'],
  ['gitea', '/repos/acme/docs/pulls?state=open&limit=50&page=2'],
  ['forgejo', '/repos/acme/docs/pulls?state=open&limit=50&page=2'],
])('Open pull requests of %s are listed at %s', (forge, path) =>
  expect(pullsRequest(api(forge), 2).url).toBe(`${apis[forge]}${path}`),
)
