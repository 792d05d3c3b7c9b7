import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { aFolder } from '@recto/testing/hostile-folders'
import { openSite } from './folder-site.ts'
import { inThisThread } from '../test/in-this-thread.ts'
import { redirectedPage, redirectReply, redirectSources } from './redirects.rules.ts'
import type { SpaceContent } from './space-content.ts'

const configuration = `root: ./docs/
redirects:
  old: guide/set-up.md
  /Old/Slashes/: ./guide/set-up.md#install
  by/path: guide/set-up
  first: second
  second: old
  a: b
  b: a
  hidden: secret.md
  gone: nothing.md
  home: README.md
  guide/set-up: README.md
  'old page.html': guide/README.md
`
const files = {
  'recto.yaml': 'spaces:\n  - path: one\n  - path: two\n',
  'one/.gitbook.yaml': configuration,
  'one/docs/SUMMARY.md':
    '* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Setup](guide/set-up.md)\n* [Secret](secret.md)\n',
  'one/docs/README.md': '# Home\n',
  'one/docs/guide/README.md': '# Guide\n',
  'one/docs/guide/set-up.md': '# Setup\n',
  'one/docs/secret.md': '---\nif: visitor.claims.beta\n---\n# Secret\n',
  'two/.gitbook.yaml': 'redirects:\n  old: other.md\n  first: README.md\n',
  'two/README.md': '# Two\n',
  'two/other.md': '# Other\n',
}

let folder: ReturnType<typeof aFolder>
let spaces: SpaceContent[]
beforeEach(async () => {
  folder = aFolder(files)
  spaces = (await openSite(folder.path, inThisThread)).state().spaces
})
afterEach(() => folder.remove())

describe('a path of a space', () => {
  it.each([
    ['that a redirect has', 'old', 'guide/set-up'],
    ['in another case, of a redirect with slashes', 'old/SLASHES', 'guide/set-up'],
    ['of a redirect to the path of a page', 'by/path', 'guide/set-up'],
    ['of a redirect to a redirect', 'first', 'guide/set-up'],
    ['with a blank and a dot', 'old page.html', 'guide'],
    ['in a circle', 'a', undefined],
    ['to a page that is not for everybody', 'hidden', undefined],
    ['to no page', 'gone', undefined],
    ['that a page has', 'guide/set-up', undefined],
    ['that nothing has', 'nothing', undefined],
  ])('%s', (_title, path, target) => {
    const [space] = spaces
    expect(space && redirectedPage(path, space)?.path).toBe(target)
  })

  it('Sources are those that lead somewhere, each once', () => {
    const [space] = spaces
    expect(space && redirectSources(space)).toEqual([
      'old',
      'Old/Slashes',
      'by/path',
      'first',
      'second',
      'home',
      'old page.html',
    ])
  })
})

describe('the reply to a reader', () => {
  const targetOf = (source: string, query = '') =>
    redirectReply(new URLSearchParams({ source, ...(query && { query }) }), spaces)

  it('names the address of a page below the site, with the query of the visitor', () => {
    expect(targetOf('/old%20page.html', 'a=b')).toMatchObject({ target: '/guide?a=b' })
    expect([targetOf('/home'), targetOf('/two/first')]).toMatchObject([{ target: '/' }, { target: '/two' }])
    expect(targetOf('/two/old')).toMatchObject({ target: '/two/other', redirect: { permanent: false } })
  })

  it.each(['/nothing', '/two/nothing', '/%ff', ''])('says nothing of %s', source =>
    expect(targetOf(source)).toBeUndefined(),
  )
})
