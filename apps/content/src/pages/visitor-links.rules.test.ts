import { describe, expect, it } from '@jest/globals'
import type { ResolvedTarget } from '@recto/repository-content'
import type { VisitedPlace } from './visited-place.rules.ts'
import { escapeEntities, visitorTarget, type VisitorLinks } from './visitor-links.rules.ts'

const paths: Record<string, string> = {
  home: 'home',
  install: 'guides/install',
  linux: 'guides/setup/linux',
  odd: 'a b/ü',
}
const users = { kind: 'anchor', anchor: 'list', page: 'users', space: 'other' } as const
const places: Record<string, VisitedPlace> = {
  'https://api.test/s/other': { ref: users, url: 'https://docs.test/api/users#list' },
  'https://api.test/s/shared': { ref: { kind: 'space', space: 'shared' } },
}
const links: VisitorLinks = {
  spaceId: 'own',
  path: 'guides/install',
  pathOf: page => paths[page],
  fileUrl: file => (file === 'logo' ? 'https://api.test/files/x/logo.png' : undefined),
  addressOf: space => ({ own: 'https://docs.test/', other: 'https://docs.test/api/' })[space],
  placeOf: url => places[url],
}
const hidden: VisitorLinks = { ...links, addressOf: () => undefined }
const page = (id: string): ResolvedTarget => ({ status: 'ok', ref: { kind: 'page', page: id } })
const anchor = (name: string, id?: string): ResolvedTarget => ({
  status: 'ok',
  ref: { kind: 'anchor', anchor: name, ...(id !== undefined && { page: id }) },
})
const url = (status: 'ok' | 'in-app', url: string): ResolvedTarget => ({ status, ref: { kind: 'url', url } })
const app = 'https://api.test/s/other'
const both = (url: string) => [url, url] as const

describe('a target is written for visitors', () => {
  it.each<[string, ResolvedTarget, string, string | undefined, string | undefined]>([
    ['a page in the folder above', page('home'), 'link', '../home', '../home'],
    ['a page in a folder below', page('linux'), 'link', 'setup/linux', 'setup/linux'],
    ['the page itself', page('install'), 'link', 'install', 'install'],
    ['a page with odd characters', page('odd'), 'mention', '../a%20b/%C3%BC', '../a%20b/%C3%BC'],
    ['a page in a tag', page('linux'), 'content-ref', 'https://docs.test/guides/setup/linux', 'setup/linux'],
    ['a page of a button', page('home'), 'button', 'https://docs.test/home', '../home'],
    ['an anchor', anchor('a b'), 'link', '#a%20b', '#a%20b'],
    ['an anchor in a tag', anchor('x'), 'content-ref', 'https://docs.test/guides/install#x', 'install#x'],
    ['an anchor of a page', anchor('x', 'linux'), 'link', 'setup/linux#x', 'setup/linux#x'],
    ['a page without path', page('nothing'), 'link', undefined, undefined],
    ['the space', { status: 'ok', ref: { kind: 'space', space: 'own' } }, 'link', 'https://docs.test/', undefined],
    [
      'a file',
      { status: 'ok', ref: { kind: 'file', file: 'logo' } },
      'image',
      'https://api.test/files/x/logo.png',
      'https://api.test/files/x/logo.png',
    ],
    ['a file that is gone', { status: 'ok', ref: { kind: 'file', file: 'x' } }, 'file', undefined, undefined],
    ['another space', url('in-app', app), 'link', ...both('https://docs.test/api/users#list')],
    ['another space without address', url('in-app', 'https://api.test/s/shared'), 'link', undefined, undefined],
    ['a closed space', url('in-app', 'https://api.test/s/closed'), 'link', ...both('broken-reference')],
    ['a collection', url('in-app', 'https://api.test/c/x'), 'link', ...both('broken-reference')],
    ['a URL', url('ok', 'https://example.test/a'), 'link', undefined, undefined],
    ['what is not there', { status: 'broken' }, 'link', undefined, undefined],
    ['a specification', { status: 'broken', ref: { kind: 'openapi', spec: 's' } }, 'openapi', undefined, undefined],
  ])('A target is written for visitors: %s', (_case, target, kind, expected, withoutAddress) => {
    expect(visitorTarget(target, kind, links)).toBe(expected)
    expect(visitorTarget(target, kind, hidden)).toBe(withoutAddress)
  })

  it('A folder at the root is one name in a target for visitors', () => {
    expect(visitorTarget(page('linux'), 'link', { ...links, path: 'home' })).toBe('guides/setup/linux')
  })
})

it.each<[string, ResolvedTarget, string, string]>([
  ['a page', page('linux'), 'link', 'https://here.test/key/guides/setup/linux.md'],
  ['a page in a tag', page('linux'), 'content-ref', 'https://here.test/key/guides/setup/linux.md'],
  ['an anchor of a page', anchor('x', 'linux'), 'link', 'https://here.test/key/guides/setup/linux.md#x'],
  ['an anchor of the page itself', anchor('x'), 'link', '#x'],
  ['a page of another space', url('in-app', app), 'link', 'https://docs.test/api/users.md#list'],
  ['the space', { status: 'ok', ref: { kind: 'space', space: 'own' } }, 'link', 'https://docs.test/'],
])('Links of Markdown to Markdown lead to %s below the address of the space', (_case, target, kind, expected) => {
  expect(visitorTarget(target, kind, { ...links, markdownBase: 'https://here.test/key/' })).toBe(expected)
})

it('No character of a URL becomes another one for visitors', () => {
  expect(escapeEntities('https://a.test/?a=1&copy;=2&b=3')).toBe('https://a.test/?a=1&amp;copy;=2&b=3')
})
