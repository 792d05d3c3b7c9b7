import { describe, expect, it } from '@jest/globals'
import type { Manifest } from './import-manifest.ts'
import { rebaseManifest } from './rebase-manifest.rules.ts'

const at = (path: string) => ({ path, oid: 'abc' })
const hash = '0'.repeat(64)

function manifestIn(root: string, outside = 'logo.png'): Manifest {
  const below = (path: string) => (root === '' ? path : `${root}/${path}`)
  const child = {
    type: 'document' as const,
    title: 'B',
    slug: 'b',
    git: at(below('a/b.md')),
    document: hash,
    pages: [],
  }
  const cover = { path: below('.gitbook/assets/c.png'), pathDark: outside, yPos: 0 }
  const page = { ...child, title: 'A', slug: 'a', git: at(below('a/README.md')), cover, pages: [child] }
  return {
    version: 1,
    configuration: { root, readme: below('README.md'), summary: below('SUMMARY.md'), redirects: { old: 'a/b.md' } },
    pages: [
      { type: 'group', title: 'G', slug: 'g', pages: [page, { type: 'link', title: 'L', href: 'https://a.test' }] },
    ],
    files: [{ name: 'c.png', git: at(below('.gitbook/assets/c.png')), hash, size: 1, contentType: 'image/png' }],
    reusableContents: [{ title: 'R', git: at(below('.gitbook/includes/r.md')), document: hash }],
    bundles: [],
    variables: {},
    warnings: [],
  }
}

describe('rebaseManifest', () => {
  it.each([
    ['docs', 'manual/en'],
    ['docs', ''],
    ['docs', 'docs/more'],
    ['docs', 'docs'],
  ])('Content of %s moves to "%s", with what is outside staying where it is', (from, to) => {
    expect(rebaseManifest(manifestIn(from), to)).toEqual(manifestIn(to))
  })

  it('Content of a whole repository moves into a folder', () => {
    expect(rebaseManifest(manifestIn('', 'logo.png'), 'docs')).toEqual(manifestIn('docs', 'docs/logo.png'))
  })
})
