import { describe, expect, it } from '@jest/globals'
import { firstHeading, readPageSource, readVariables } from '@recto/markdown'
import { buildManifest, titleOf } from './import-set.ts'
import { readOwnSettings } from './own-settings.ts'

describe('First headings', () => {
  it.each([
    ['# T', 'T'],
    ['text\n\n# A `b` \\_c\\_ #\n', 'A b _c_'],
    ['## Two\n# One', 'One'],
    ['Under\n====', 'Under'],
    ['```\n# not this\n```\n# This', 'This'],
    ['~~~sh\n```\n# no\n~~~\n# Yes', 'Yes'],
    ['    # code', undefined],
    ['#hash', undefined],
    ['', undefined],
  ])('The first heading of %j is %s', (body, title) => expect(firstHeading(body)).toBe(title))

  it.each([
    [{ title: ' F ' }, 'H', 'F'],
    [{}, 'H', 'H'],
    [{}, undefined, 'in.tail'],
  ])(
    'The first heading is used after the title in the front matter and before the file name',
    (frontMatter, heading, title) => expect(titleOf('a/in.tail.md', { frontMatter, heading })).toBe(title),
  )

  it('A page that nothing else names gets its file name without spaces around it as title', () => {
    expect(titleOf('a/in .md', undefined)).toBe('in')
    expect(titleOf('a/ .md', undefined)).toBe(' ')
  })
})

const aFile = (path: string) => ({ name: path, git: { path, oid: 'o' }, hash: 'h', size: 1, contentType: 'image/png' })

it('Settings of front matter are mapped to the names in the manifest', () => {
  const { frontMatter } = readPageSource(
    '---\ndescription: D\ncover:\n  light: ../.gitbook/assets/c.png\n  dark: ../.gitbook/assets/d.png\ncoverY: -7.5\nlayout:\n  width: wide\n  cover:\n    visible: true\n    size: full\n  outline:\n    visible: false\nvars:\n  version: 2\n---\n',
    'docs/p.md',
  )
  const pages = new Map([['docs/p.md', { oid: 'o', document: 'h', frontMatter, heading: 'H' }]])
  const {
    pages: [page],
  } = buildManifest({
    configuration: { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} },
    entries: [{ kind: 'page', path: 'docs/p.md', children: [] }],
    pages,
    files: ['c', 'd'].map(name => aFile(`.gitbook/assets/${name}.png`)),
    reusableContents: [],
    bundles: [],
    variables: {},
    settings: readOwnSettings(undefined, ''),
    settingsFile: 'absent',
    warnings: [],
  })
  expect(page).toEqual({
    type: 'document',
    title: 'H',
    slug: 'p',
    git: { path: 'docs/p.md', oid: 'o' },
    document: 'h',
    description: 'D',
    cover: { path: '.gitbook/assets/c.png', pathDark: '.gitbook/assets/d.png', yPos: -7.5 },
    layout: { width: 'wide', cover: true, coverSize: 'full', outline: false },
    variables: { version: 2 },
    pages: [],
  })
})

it('Variables of a space are names with plain values', () =>
  expect(readVariables('version: 2.1\nname: Recto\n1x: no\nlist: [a]\nok: true\n', 'v.yaml')).toEqual({
    variables: { version: 2.1, name: 'Recto', ok: true },
    warnings: [
      { path: 'v.yaml', line: 3, message: expect.stringContaining('1x') },
      { path: 'v.yaml', line: 4, message: expect.stringContaining('list') },
    ],
  }))
