import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { Forge as ForgeName } from '@recto/contracts-git-worker'
import { apiUrlOf, type Forge, forgeAt, headRefOf, projectUrlOf, pullHeadsIn } from './forge.rules.ts'

const oid = 'c0ffee'.padEnd(40, '0')

describe('Forges', () => {
  it.each([
    ['https://github.com/acme/docs.git', 'github'],
    ['https://gitlab.com/acme/docs', 'gitlab'],
    ['https://codeberg.org/acme/docs', 'forgejo'],
    ['https://gitea.com/acme/docs', 'gitea'],
    ['https://git.acme.example/docs', undefined],
    ['https://github.com.evil.example/docs', undefined],
  ])('The forge of %s is %s', (url, forge) => expect(forgeAt(url)).toBe(forge))

  it.each<[Forge, string, string]>([
    ['github', 'https://github.com/acme/docs.git', 'https://api.github.com/repos/acme/docs'],
    ['github', 'https://git.acme.example/acme/docs', 'https://git.acme.example/api/v3/repos/acme/docs'],
    ['gitlab', 'https://gitlab.com/acme/team/docs.git', 'https://gitlab.com/api/v4/projects/acme%2Fteam%2Fdocs'],
    ['gitea', 'https://git.acme.example:3000/acme/docs', 'https://git.acme.example:3000/api/v1/repos/acme/docs'],
    ['forgejo', 'https://codeberg.org/acme/docs/', 'https://codeberg.org/api/v1/repos/acme/docs'],
    ['gitea', 'https://git.acme.example/acme/a%20b', 'https://git.acme.example/api/v1/repos/acme/a%20b'],
    ['gitea', 'https://git.acme.example/acme/..%2Fadmin', 'https://git.acme.example/api/v1/repos/acme/..%2Fadmin'],
    ['gitea', 'https://git.acme.example/acme/%2e%2e/docs', 'https://git.acme.example/api/v1/repos/docs'],
    ['gitlab', 'https://git.acme.example//acme/docs.git/', 'https://git.acme.example/api/v4/projects/acme%2Fdocs'],
  ])('The API of %s has %s at %s', (forge, url, expected) =>
    expect(projectUrlOf({ forge, url, apiUrl: apiUrlOf(forge, url) })).toBe(expected),
  )
})

describe('Heads of pull requests', () => {
  it.each<[Forge, string, number | undefined]>([
    ['github', 'refs/pull/7/head', 7],
    ['gitea', 'refs/pull/7/head', 7],
    ['forgejo', 'refs/pull/123456789/head', 123456789],
    ['gitlab', 'refs/merge-requests/7/head', 7],
    ['github', 'refs/pull/7/merge', undefined],
    ['github', 'refs/merge-requests/7/head', undefined],
    ['gitlab', 'refs/pull/7/head', undefined],
    ['gitlab', 'refs/merge-requests/7/merge', undefined],
    ['github', 'refs/heads/refs/pull/7/head', undefined],
    ['github', 'refs/pull/0/head', undefined],
    ['github', 'refs/pull/07/head', undefined],
    ['github', 'refs/pull/1234567890/head', undefined],
    ['github', 'refs/pull/x/head', undefined],
    ['github', 'refs/pull/7/head/more', undefined],
    ['github', 'refs/pull/7/head^{}', undefined],
  ])('%s has a pull request at %s: %s', (forge, ref, number) =>
    expect(pullHeadsIn([{ ref, oid }], forge)).toEqual(number === undefined ? [] : [{ number, head: oid }]),
  )

  it.each(['', 'c0ffee', 'C0FFEE'.padEnd(40, '0'), 'c0ffee'.padEnd(64, '0')])('An object %p is no head', name =>
    expect(pullHeadsIn([{ ref: 'refs/pull/7/head', oid: name }], 'github')).toEqual([]),
  )

  it('Every ref of a pull request is read as that pull request', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ForgeName.options), fc.integer({ min: 1, max: 999_999_999 }), (forge, number) => {
        expect(pullHeadsIn([{ ref: headRefOf(forge, number), oid }], forge)).toEqual([{ number, head: oid }])
      }),
    )
  })
})
