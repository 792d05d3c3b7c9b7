import { expect, test } from '@jest/globals'
import type { OpenedSite } from '../loaders/open-site.ts'
import { customLink, treeLink } from './links.rules.ts'

const [here, there] = ['here', 'there'].map(name => ({ id: `site space ${name}`, space: { id: name } }))
const site = {
  siteSpace: here,
  published: { structure: { type: 'siteSpaces', structure: [here, there] } },
  links: {
    own: '/~recto/',
    ofPage: (path: string) => (path === 'home' ? '/' : `/${path}`),
    ofPublished: (url: string) => url.replace('https://docs.test', '/mount'),
    ofSiteSpace: ({ space }: { space: { id: string } }) => (space.id === 'here' ? '/' : `/${space.id}`),
    below: ({ space }: { space: { id: string } }) => (space.id === 'here' ? '/' : `/${space.id}/`),
  },
  tree: {
    fileById: new Map([['f', { id: 'f', name: 'a b.pdf' }]]),
    byId: new Map(['home', 'page'].map(id => [id, { page: { id, path: id } }])),
  },
} as unknown as OpenedSite

test.each([
  [null, undefined],
  [{ kind: 'url', url: 'https://a.test/' }, 'https://a.test/ (external)'],
  [{ kind: 'url', url: '/path' }, '/path'],
  [{ kind: 'user', user: 'ada' }, undefined],
  [{ kind: 'openapi', spec: 'shop' }, undefined],
  [{ kind: 'url', url: 'mailto:a@b.test' }, 'mailto:a@b.test'],
  [{ kind: 'file', file: 'f' }, '/~recto/files/f/a%20b.pdf'],
  [{ kind: 'file', file: 'none' }, undefined],
  [{ kind: 'space', space: 'there' }, '/there'],
  [{ kind: 'space', space: 'none' }, undefined],
  [{ kind: 'page', page: 'page' }, '/page'],
  [{ kind: 'page', page: 'home' }, '/'],
  [{ kind: 'page', page: 'none' }, undefined],
  [{ kind: 'page', page: 'page', space: 'here' }, '/page'],
  [{ kind: 'page', page: 'a/b', space: 'there' }, '/there/~recto/page/a%2Fb'],
  [{ kind: 'page', page: 'page', space: 'none' }, undefined],
  [{ kind: 'anchor', anchor: 'a b' }, '/#a%20b'],
  [{ kind: 'anchor', anchor: 'a', page: 'page' }, '/page#a'],
  [{ kind: 'anchor', anchor: 'a', page: 'p', space: 'there' }, '/there/~recto/page/p#a'],
  [{ kind: 'anchor', anchor: 'a', space: 'there' }, '/there#a'],
] as const)('a link to %j leads to %s', (to, expected) => {
  const link = customLink(to, site)
  expect(link && `${link.href}${link.isExternal ? ' (external)' : ''}`).toBe(expected)
})

test.each([
  [{ kind: 'url', url: 'https://a.test/' }, undefined, 'https://a.test/'],
  [{ kind: 'page', page: 'page' }, undefined, '/page'],
  [{ kind: 'anchor', anchor: 'a b', page: 'page' }, undefined, '/page#a%20b'],
  [{ kind: 'space', space: 'here' }, 'https://docs.test/', '/'],
  [{ kind: 'space', space: 'there' }, undefined, '/there'],
  [{ kind: 'page', page: 'p', space: 'there' }, undefined, '/there/~recto/page/p'],
  [{ kind: 'anchor', anchor: 'a', page: 'p', space: 'there' }, undefined, '/there/~recto/page/p#a'],
  [{ kind: 'page', page: 'p', space: 'none' }, undefined, undefined],
  [{ kind: 'file', file: 'f' }, 'https://docs.test/a.pdf', '/mount/a.pdf'],
] as const)('a link to %j in the page tree, with the address %s, leads to %s', (target, href, expected) => {
  expect(treeLink({ target, ...(href !== undefined && { href }) }, site)).toBe(expected)
})
