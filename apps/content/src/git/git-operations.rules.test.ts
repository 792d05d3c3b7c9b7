import { describe, expect, it } from '@jest/globals'
import type { GitOperationRow, GitOptions } from './git-operation.entity.ts'
import { gitSyncOf, leaseLength, leaseOf, maxAttempts, splitRepositoryUrl, turnOf } from './git-operations.rules.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
const options = (given: Partial<GitOptions> = {}): GitOptions => ({ force: false, standalone: false, ...given })

describe('turnOf', () => {
  it.each([
    ['the first of a space runs', 5, null, false, 'run'],
    ['a later one runs', 5, 4, false, 'run'],
    ['one of the same time runs', 5, 5, false, 'run'],
    ['an older one is skipped', 5, 6, false, 'skip'],
    ['an older one runs when forced', 5, 6, true, 'run'],
  ] as const)('%s', (_case, timestamp, last, force, expected) => {
    expect(turnOf({ timestamp: at(timestamp), options: options({ force }) }, last === null ? null : at(last))).toBe(expected)
  })
})

describe('leaseOf', () => {
  const now = at(30)
  const heard = (ago: number) => new Date(now.getTime() - ago)
  it.each<[string, GitOperationRow['state'], number, Date | null, string]>([
    ['a queued one is taken', 'queued', 0, null, 'take'],
    ['one that waits for another attempt is taken', 'queued', 2, null, 'take'],
    ['one whose worker is heard is busy', 'running', 1, heard(leaseLength - 1), 'busy'],
    ['one whose worker fell silent is taken over', 'running', 1, heard(leaseLength), 'take'],
    ['one that was tried often enough is given up', 'running', maxAttempts, heard(leaseLength), 'give-up'],
    ['one at its last attempt is busy while its worker is heard', 'running', maxAttempts, heard(0), 'busy'],
    ['one that succeeded is done', 'success', 1, null, 'done'],
    ['one that failed is done', 'failure', 1, null, 'done'],
    ['one that was skipped is done', 'skipped', 0, null, 'done'],
  ])('%s', (_case, state, attempts, heartbeatAt, expected) => {
    expect(leaseOf({ state, attempts, heartbeatAt, dispatched: true }, now)).toBe(expected)
  })

  it('one whose turn has not come is not taken, whoever asks', () => {
    expect(leaseOf({ state: 'queued', attempts: 0, heartbeatAt: null, dispatched: false }, now)).toBe('done')
  })
})

describe('splitRepositoryUrl', () => {
  it.each([
    ['https://git.example/a/b.git', 'https://git.example/a/b.git', undefined],
    ['https://user:p%40ss@git.example/a', 'https://git.example/a', { username: 'user', password: 'p@ss' }],
    ['https://token@git.example/a#frag', 'https://git.example/a', { username: 'token', password: '' }],
    ['http://u:50%25%@git.example/', 'http://git.example/', { username: 'u', password: '50%25%' }],
  ])('%s', (given, url, credentials) => {
    expect(splitRepositoryUrl(given, 'url')).toEqual({ url, ...(credentials && { credentials }) })
  })

  it.each(['git@git.example:a/b.git', 'ssh://git.example/a', 'file:///etc', 'nonsense', ''])('refuses %s', given => {
    expect(() => splitRepositoryUrl(given, 'url')).toThrow('body.url: must be an http or https URL')
  })

  it('refuses a query, where a secret could stand', () => {
    expect(() => splitRepositoryUrl('https://git.example/a?private_token=x', 'gitInfo.url')).toThrow('body.gitInfo.url: must not have a query')
  })
})

describe('gitSyncOf', () => {
  it.each([
    ['https://git.example/owner/docs.git', undefined, { repoName: 'owner/docs', url: 'https://git.example/owner/docs.git' }],
    ['https://git.example/docs/', undefined, { repoName: 'docs', url: 'https://git.example/docs/' }],
    ['https://git.example/o/d', { provider: 'github' as const, url: 'https://github.example/o/d' }, { repoName: 'o/d', url: 'https://github.example/o/d', installationProvider: 'github' }],
  ])('%s', (url, gitInfo, expected) => {
    expect(gitSyncOf({ url, options: options(gitInfo && { gitInfo }) }, at(0))).toEqual({ ...expected, updatedAt: at(0).toISOString() })
  })
})
