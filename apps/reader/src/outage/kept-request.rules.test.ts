import { expect, it, test } from '@jest/globals'
import type { Lookup } from '../api/types.ts'
import { anonymousLookup, keyOf, kindOf, lookupIn, openLookup, rootOf, versionOf } from './kept-request.rules.ts'

it.each([
  ['/orgs/o/sites/s/published', 'site'],
  ['/spaces/p', 'space'],
  ['/spaces/p/revisions/r', 'part'],
  ['/spaces/p/revisions/r/page/a', 'part'],
  ['/spaces/p/revisions/r/page/a/document', 'part'],
  ['/spaces/p/revisions/r/reusable-contents/c/document', 'part'],
  ['/spaces/p/embed', 'part'],
  ['/orgs/o/openapi/toys/versions/latest/content', 'changing'],
  ['/orgs/o/sites/s/redirect', 'redirect'],
  ['/spaces/p/change-requests/c', undefined],
  ['/spaces/p/revisions/r/changes', undefined],
  ['/spaces/p/content/changes', undefined],
  ['/orgs/o/sites/s', undefined],
  ['/orgs/o/sites/s/share-links', undefined],
  ['/user', undefined],
])('the reply of %s is kept as %s', (path, kind) => {
  expect(kindOf({ path })).toBe(kind)
  expect(kindOf({ path, method: 'POST' })).toBeUndefined()
})

it.each([
  [
    'the order of a query is no matter',
    { path: '/a', query: { x: '1', y: '2' } },
    { path: '/a', query: { y: '2', x: '1' } },
  ],
  ['no query is an empty one', { path: '/a' }, { path: '/a', query: {} }],
  [
    'a redirect is the same for every query of a visitor',
    { path: '/orgs/o/sites/s/redirect', query: { source: '/old' } },
    { path: '/orgs/o/sites/s/redirect', query: { source: '/old', query: 'utm=1' } },
  ],
])('%s', (_title, one, other) => expect(keyOf(one)).toBe(keyOf(other)))

it.each([
  [{ path: '/a' }, { path: '/b' }],
  [{ path: '/a' }, { path: '/a', query: { x: '1' } }],
  [
    { path: '/a', query: { query: '1' } },
    { path: '/a', query: { query: '2' } },
  ],
])('%j and %j are kept apart', (one, other) => expect(keyOf(one)).not.toBe(keyOf(other)))

const url = 'https://a.docs.example/page'

it.each([
  ['nobody in particular', {}, {}, true],
  ['a login', { jwtToken: 'j' }, {}, false],
  ['claims', { unsignedClaims: { beta: true } }, {}, false],
  ['a preview', {}, { token: 't' }, false],
])('a lookup by %s', (_who, visitor, more, isAnonymous) => {
  const request = anonymousLookup(url)
  const body = { ...(request.body as object), visitor: { unsignedClaims: {}, ...visitor } }
  expect(lookupIn({ ...request, body, ...more })).toEqual({ url, isAnonymous })
})

test('no other request is a lookup', () => expect(lookupIn({ path: '/spaces/p' })).toBeUndefined())

const lookup = { organization: 'o', site: 's', siteSpace: 'ss', space: 'p', pathname: '/', apiToken: 't' }
it.each([
  ['a site that everybody may read', lookup, true],
  ['where to log in', { target: 'external', redirect: 'https://login.test/' }, false],
  ['a share link', { ...lookup, shareKey: 'k' }, false],
  ['a preview', { ...lookup, preview: true }, false],
  ['a change request', { ...lookup, changeRequest: 'c' }, false],
  ['another revision', { ...lookup, revision: 'r' }, false],
  ['a pull request', { ...lookup, pullRequest: {} }, false],
])('%s is looked at, and kept only for everybody', (_title, reply, isOpen) =>
  expect(openLookup(reply as Lookup) !== undefined).toBe(isOpen),
)

it.each([
  [url, '/', 'https://a.docs.example/'],
  ['https://A.Example/Docs/page', '/Docs/', 'https://a.example/docs/'],
])('%s with the site at %s begins at %s', (address, siteBasePath, root) =>
  expect(rootOf(address, { siteBasePath })).toBe(root),
)

it('the version of a token is the one that its site had, and of any other token its own', () => {
  const token = (version: unknown) => `a.${Buffer.from(JSON.stringify({ version })).toString('base64url')}.b`
  expect([versionOf(token(7)), versionOf(`${token(7)}x`), versionOf(token(8))]).toEqual(['7', '7', '8'])
  expect(versionOf('one')).not.toBe(versionOf('other'))
})
