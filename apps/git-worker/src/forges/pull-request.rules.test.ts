import { describe, expect, it } from '@jest/globals'
import { pullRequestOfEvent, readPullRequest } from './pull-request.rules.ts'

const head = 'c0ffee'.padEnd(40, '0')
const ofGitHub = {
  number: 7,
  title: 'Fix a typo',
  html_url: 'https://github.com/acme/docs/pull/7',
  state: 'open',
  merged: false,
  head: { sha: head, ref: 'fix', repo: { fork: true } },
  base: { ref: 'main', sha: head },
  updated_at: '2026-11-26T10:00:00Z',
}
const ofGitLab = {
  iid: 7,
  title: 'Fix a typo',
  url: 'https://gitlab.com/acme/docs/-/merge_requests/7',
  state: 'opened',
  last_commit: { id: head },
  target_branch: 'main',
  updated_at: '2026-11-26 10:00:00 UTC',
}
const expected = {
  number: 7,
  title: 'Fix a typo',
  url: ofGitHub.html_url,
  state: 'open',
  head,
  target: 'main',
  changedAt: new Date('2026-11-26T10:00:00Z'),
}

describe('Pull requests', () => {
  it.each<[string, unknown, object | undefined]>([
    ['an open one of GitHub', ofGitHub, expected],
    ['a closed one of GitHub', { ...ofGitHub, state: 'closed' }, { ...expected, state: 'closed' }],
    ['a merged one of GitHub', { ...ofGitHub, state: 'closed', merged: true }, { ...expected, state: 'merged' }],
    [
      'a merged one in a list',
      { ...ofGitHub, state: 'closed', merged_at: '2026-11-26T10:00:00Z' },
      { ...expected, state: 'merged' },
    ],
    ['one in a list of Gitea', { ...ofGitHub, merged: undefined, merged_at: null }, expected],
    ['one without a page', { ...ofGitHub, html_url: undefined }, { ...expected, url: null }],
    ['one whose page is a script', { ...ofGitHub, html_url: 'javascript:alert(1)' }, { ...expected, url: null }],
    ['one with a title of lines', { ...ofGitHub, title: ' Fix\n\u0000a  typo ' }, expected],
    ['one with half a character', { ...ofGitHub, title: 'Fix a typo\ud800' }, expected],
    ['an open one of GitLab', ofGitLab, { ...expected, url: ofGitLab.url }],
    ['one of GitLab that is being merged', { ...ofGitLab, state: 'locked' }, { ...expected, url: ofGitLab.url }],
    ['a merged one of GitLab', { ...ofGitLab, state: 'merged' }, { ...expected, url: ofGitLab.url, state: 'merged' }],
    [
      'one in a list of GitLab',
      { ...ofGitLab, url: undefined, web_url: ofGitLab.url, last_commit: undefined, sha: head },
      { ...expected, url: ofGitLab.url },
    ],
    ['one without a number', { ...ofGitHub, number: undefined }, undefined],
    ['one with a number below 1', { ...ofGitHub, number: 0 }, undefined],
    ['one whose head is no commit', { ...ofGitHub, head: { sha: '../x' } }, undefined],
    ['one in an unknown state', { ...ofGitHub, state: 'draft' }, undefined],
    ['one without a time', { ...ofGitHub, updated_at: 'yesterday' }, undefined],
    ['nothing', null, undefined],
    ['a text', 'pull', undefined],
  ])('The forge describes %s', (_case, value, pull) => expect(readPullRequest(value)).toEqual(pull))

  it('A long title is cut between characters', () => {
    const { title } = readPullRequest({ ...ofGitHub, title: '𝛼'.repeat(600) }) ?? { title: '' }
    expect([...title]).toHaveLength(500)
  })
})

describe('Events of pull requests', () => {
  it.each<[string, unknown, boolean]>([
    ['GitHub, Gitea and Forgejo', { action: 'opened', number: 7, pull_request: ofGitHub }, true],
    ['GitLab', { object_kind: 'merge_request', object_attributes: ofGitLab }, true],
    ['a note of GitLab', { object_kind: 'note', object_attributes: ofGitLab }, false],
    ['a push', { ref: 'refs/heads/main', after: head }, false],
    ['an empty body', undefined, false],
  ])('The event of %s is read', (_case, body, isRead) => expect(pullRequestOfEvent(body) !== undefined).toBe(isRead))
})
