import { describe, expect, it } from '@jest/globals'
import type { GitOptions } from './git-operation.entity.ts'
import {
  commitMessageOf,
  commitPerson,
  commitUrlOf,
  gitSyncOf,
  mayDispatch,
  openPushes,
  splitRepositoryUrl,
  baseCandidates,
  decideTurn,
  withPush,
} from './git-operations.rules.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
const options = (changes: Partial<GitOptions> = {}): GitOptions => ({ force: false, standalone: false, ...changes })

describe('decideTurn', () => {
  it.each([
    ['The first operation of a space runs', 5, null, false, 'run'],
    ['A later operation runs', 5, 4, false, 'run'],
    ['An operation of the same time runs', 5, 5, false, 'run'],
    ['An older operation is skipped', 5, 6, false, 'skip'],
    ['An older operation runs when forced', 5, 6, true, 'run'],
    ['An older operation of a synchronisation runs', 5, 6, false, 'run', 'sync'],
    ['An older operation that moves no pointer runs', 5, 6, false, 'run', 'standalone'],
  ] as const)('%s', (_case, timestamp, last, force, expected, ...kind: string[]) => {
    const standalone = kind[0] === 'standalone'
    const syncId = kind[0] === 'sync' ? 'sync' : null
    const operation = { timestamp: at(timestamp), options: options({ force, standalone }), syncId }
    expect(decideTurn(operation, last === null ? null : at(last))).toBe(expected)
  })
})

describe('baseCandidates', () => {
  const row = (revision: string, seconds: number, { ref = 'main', oid = `of ${revision}`, root = '' } = {}) => ({
    revision,
    ref,
    root,
    commit: oid,
    isPartial: false,
    createdAt: at(seconds).toISOString(),
  })
  const dev = { ref: 'dev' }

  it.each<[string, ReturnType<typeof row>[], { ref: string; createdAt: string } | undefined, string]>([
    [
      'are all where the address is new, those of the branch first',
      [row('c', 3, dev), row('b', 2), row('a', 1)],
      undefined,
      'bac',
    ],
    [
      'are those that are newer than the last with the address',
      [row('c', 3), row('b', 2), row('a', 1)],
      { ref: 'main', createdAt: at(2).toISOString() },
      'c',
    ],
    [
      'are no newer ones of another branch',
      [row('c', 3, dev), row('b', 2)],
      { ref: 'main', createdAt: at(2).toISOString() },
      '',
    ],
    [
      'are all of the branch where the last was of another',
      [row('c', 3), row('b', 2, dev), row('a', 1)],
      { ref: 'dev', createdAt: at(2).toISOString() },
      'ca',
    ],
    [
      'have each commit and root once, the newest',
      [row('c', 3, { oid: 'x' }), row('b', 2, { oid: 'x' }), row('a', 1, { oid: 'x', root: 'docs' })],
      undefined,
      'ca',
    ],
    ['are ten at most', Array.from('abcdefghijkl', (id, index) => row(id, 20 - index)), undefined, 'abcdefghij'],
  ])('The candidates for the base of an export %s', (_case, synchronised, last, expected) =>
    expect(
      baseCandidates(synchronised, { ref: 'main', last })
        .map(({ revision }) => revision)
        .join(''),
    ).toBe(expected),
  )
})

describe('mayDispatch', () => {
  it.each([
    ['The first operation of an organization is dispatched', 0, 0, false, true],
    ['An operation below the limit is dispatched', 2, 0, false, true],
    ['An operation at the limit waits', 3, 0, false, false],
    ['An operation over a lowered limit waits', 5, 0, false, false],
    ['An operation waits after those that waited before', 2, 1, false, false],
    ['The operation that waited longest goes first', 2, 4, true, true],
    ['The operation that waited longest waits at the limit', 3, 4, true, false],
  ])('%s', (_case, dispatched, waiting, isOldest, expected) =>
    expect(mayDispatch({ dispatched, waiting }, { limit: 3, isOldest })).toBe(expected),
  )
})

describe('splitRepositoryUrl', () => {
  it.each([
    ['https://git.example/a/b.git', 'https://git.example/a/b.git', undefined],
    ['https://user:p%40ss@git.example/a', 'https://git.example/a', { username: 'user', password: 'p@ss' }],
    ['https://token@git.example/a#frag', 'https://git.example/a', { username: 'token', password: '' }],
    ['http://u:50%25%@git.example/', 'http://git.example/', { username: 'u', password: '50%25%' }],
    [
      'https://git.example/a?private_token=x&b=%20',
      'https://git.example/a',
      { username: '', password: '', query: '?private_token=x&b=%20' },
    ],
    ['https://u@git.example/a?t=1#frag', 'https://git.example/a', { username: 'u', password: '', query: '?t=1' }],
  ])('The repository URL %s is split into URL and credentials', (text, url, credentials) => {
    expect(splitRepositoryUrl(text, 'url')).toEqual({ url, ...(credentials && { credentials }) })
  })

  it.each(['git@git.example:a/b.git', 'ssh://git.example/a', 'file:///etc', 'nonsense', ''])(
    'The repository URL "%s" is refused',
    text => {
      expect(() => splitRepositoryUrl(text, 'url')).toThrow('body.url: must be an http or https URL')
    },
  )
})

it('The length limit applies to the encoded URL', () => {
  expect(() => splitRepositoryUrl(`https://git.example/${'é'.repeat(500)}`, 'repoTreeURL')).toThrow(
    'body.repoTreeURL: must have at most 2048 characters when percent-encoded',
  )
})

describe('commitUrlOf', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['https://git.example/o/d/commit', 'https://git.example/o/d/commit/c0ffee'],
    ['https://git.example/o/d/commit/', 'https://git.example/o/d/commit/c0ffee'],
  ])('The commit page below %j has the URL %j', (repoCommitURL, expected) => {
    expect(commitUrlOf({ ...(repoCommitURL !== undefined && { repoCommitURL }) }, 'c0ffee')).toBe(expected)
  })
})

describe('gitSyncOf', () => {
  const tree = 'https://github.example/o/d/tree/main'
  it.each([
    ['https://git.example/owner/docs.git', {}, { repoName: 'owner/docs', url: 'https://git.example/owner/docs.git' }],
    ['https://git.example/docs/.git', {}, { repoName: 'docs', url: 'https://git.example/docs/.git' }],
    ['https://git.example/docs/', {}, { repoName: 'docs', url: 'https://git.example/docs/' }],
    [
      'https://git.example/o/d',
      { gitInfo: { provider: 'github' as const, url: tree } },
      { repoName: 'o/d', url: tree, installationProvider: 'github' },
    ],
    ['https://git.example/o/d', { gitInfo: { url: tree } }, { repoName: 'o/d', url: tree }],
    [
      'https://git.example/o/d',
      { gitInfo: { provider: 'gitlab' as const } },
      { repoName: 'o/d', url: 'https://git.example/o/d', installationProvider: 'gitlab' },
    ],
    ['https://git.example/o/d', { gitInfo: {}, repoTreeURL: tree }, { repoName: 'o/d', url: tree }],
    [
      'https://git.example/o/d',
      { gitInfo: { url: tree }, repoTreeURL: 'https://other.example' },
      { repoName: 'o/d', url: tree },
    ],
  ])('A space shows the repository %s with the options %j', (url, more, expected) => {
    expect(gitSyncOf({ url, options: options(more) }, at(0))).toEqual({ ...expected, updatedAt: at(0).toISOString() })
  })
})

describe('commitMessageOf', () => {
  const template = 'GITBOOK-{change_request_number}: {change_request_subject}{other}'
  it.each([
    [
      'of a merge',
      { number: 7, subject: '$& {change_request_number}' },
      'GITBOOK-7: $& {change_request_number}{other}',
    ],
    ['without a change request', undefined, template],
  ])('The message of a commit %s', (_case, changeRequest, expected) =>
    expect(commitMessageOf(template, changeRequest)).toBe(expected),
  )
})

describe('commitPerson', () => {
  it.each([
    ['Ada <x>\n', 'a b@c>', 'Ada  x', 'ab@c'],
    ['\0', 'a@b', 'Unknown user', 'a@b'],
  ])('The person %j with the e-mail %j is written in the form of a commit', (name, email, cleanName, address) =>
    expect(commitPerson({ name, email })).toEqual({ name: cleanName, email: address }),
  )
})

describe('openPushes', () => {
  const push = (commit: string, seconds: number) => ({
    commit,
    revision: 'r',
    isPartial: false,
    manifest: 'm',
    at: at(seconds).toISOString(),
  })
  const commitsOf = (pushes: { commit: string }[] = []) => pushes.map(({ commit }) => commit).join('')

  it.each([
    ['the first', [], push('a', 1), 'a'],
    ['another', [push('a', 1)], push('b', 2), 'ba'],
    ['one that is repeated', [push('b', 2), push('a', 1)], push('a', 3), 'ab'],
    ['one over the limit', ['e', 'd', 'c', 'b', 'a'].map(each => push(each, 1)), push('f', 2), 'fedcb'],
  ])('Of the pushes of an operation, %s is recorded', (_case, pushed, next, expected) =>
    expect(commitsOf(withPush(options({ pushed }), next).pushed)).toBe(expected),
  )

  it.each([
    ['all without a synchronisation, newest first', null, [[push('a', 1)], [push('c', 3), push('b', 2)]], 'cba'],
    ['those since the synchronisation', at(2), [[push('a', 1)], [push('c', 3), push('b', 2)]], 'c'],
    ['none before the synchronisation', at(4), [[push('c', 3)]], ''],
    ['none of operations that pushed nothing', null, [undefined], ''],
    ['the last five', null, [Array.from('abcdefg', (each, index) => push(each, index))], 'gfedc'],
  ] as const)('The pushes without a recorded outcome are %s', (_case, synchronised, all, expected) => {
    const operations = all.map(pushed => ({ options: options(pushed && { pushed: [...pushed] }) }))
    expect(commitsOf(openPushes(operations, synchronised))).toBe(expected)
  })
})
