import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { readPageSource } from '@recto/markdown'
import { outlineOfFolders, outlineOfSummary, readConfiguration, readSummary } from '@recto/repository-content'
import { buildManifest, readOwnSettings, type Manifest } from '@recto/repository-content'
import type { Content, ContentState } from './export-content.ts'
import { planExport, type ExportTip } from './plan-export.ts'

const oidOf = (text: string) => createHash('sha1').update(text).digest('hex')
const settingsFile = '.gitbook/recto.yaml'

type Page = Partial<ContentState['pages'][number]> & { text?: string }

function state(pages: Record<string, Page>, more: Partial<ContentState> = {}): ContentState {
  return {
    wasInRepository: true,
    settings: 'some',
    files: [],
    reusableContents: [],
    variables: {},
    redirects: {},
    pages: Object.entries(pages).map(([id, { text, ...page }]) => ({
      id,
      parent: null,
      type: 'document',
      title: id,
      ...(text !== undefined && { hash: oidOf(text) }),
      ...page,
    })),
    ...more,
  }
}

type Files = Record<string, string>

function plan(
  content: Partial<Content> & Pick<Content, 'now'>,
  files: Files,
  { force = false, others = [] as string[], notUtf8 = [] as string[] } = {},
) {
  const { configuration } = readConfiguration(files['.gitbook.yaml'], '')
  const tip: ExportTip = {
    configuration,
    configurationPath: '.gitbook.yaml',
    files: new Map(Object.entries(files).map(([path, text]) => [path, oidOf(text)])),
    others: new Set(others),
    texts: new Map(Object.entries(files).filter(([path]) => /SUMMARY\.md$|\.yaml$/.test(path))),
    notUtf8: new Set(notUtf8),
  }
  const exportPlan = planExport({
    content: { version: 1, candidates: [], isSameBranch: content.base !== undefined, ...content },
    tip,
    force,
    limits: { maxPages: 100 },
    referenced: new Set<string>(),
    oidOf: ({ hash, oid }) => oid ?? hash,
    titleOf: () => undefined,
  })
  const text = exportPlan.texts.get(settingsFile)
  const after: Files = { ...files, ...Object.fromEntries(exportPlan.texts) }
  for (const [path] of exportPlan.writes) after[path] ??= ''
  for (const path of exportPlan.deletes) delete after[path]
  return {
    text,
    isDeleted: exportPlan.deletes.has(settingsFile),
    all: exportPlan.hasAllSettings,
    warnings: exportPlan.warnings,
    after,
  }
}

/** Reads a branch as an import does. */
function read(files: Files): { pages: Manifest['pages']; files: Manifest['files']; warnings: Manifest['warnings'] } {
  const { configuration } = readConfiguration(files['.gitbook.yaml'], '')
  const has = (path: string) => Object.hasOwn(files, path)
  const summary = files['SUMMARY.md']
  const { entries } =
    summary === undefined
      ? outlineOfFolders(Object.keys(files), configuration)
      : outlineOfSummary(readSummary(summary, 'SUMMARY.md'), { path: 'SUMMARY.md', root: '', has })
  const settings = readOwnSettings(files[settingsFile], '')
  const info = (text: string) => ({ oid: 'o', document: 'h', heading: undefined, ...readPageSource(text, '') })
  const image = { name: 'a.png', hash: 'h', size: 1, contentType: 'image/png' }
  return buildManifest({
    configuration,
    entries,
    settings,
    settingsFile: 'read',
    warnings: [...settings.warnings],
    reusableContents: [],
    bundles: [],
    variables: {},
    pages: new Map(Object.entries(files).map(([path, text]) => [path, info(text)])),
    files: [{ ...image, git: { path: '.gitbook/assets/a.png', oid: 'o' } }],
  })
}

const summary = '* [h](README.md)\n* [a](a.md)\n\n## Guides\n\n* [Status](https://status.test)\n* Soon\n'
const files = { 'README.md': 'home', 'a.md': 'a', 'SUMMARY.md': summary }
const tree = {
  h: { path: 'README.md', text: 'home', settings: { slug: 'readme' } },
  a: { path: 'a.md', text: 'a', settings: { slug: 'a' } },
  g: { type: 'group', title: 'Guides', settings: { slug: 'guides' } },
  l: { type: 'link', title: 'Status', href: 'https://status.test', parent: 'g', settings: {} },
  t: { title: 'Soon', parent: 'g', settings: { slug: 'soon' } },
} satisfies Record<string, Page>
const treeWithSettings = {
  ...tree,
  a: { ...tree.a, settings: { slug: 'start', emoji: '1f680' } },
  g: { ...tree.g, settings: { slug: 'howto', condition: 'visitor.claims.beta', icon: 'book' } },
  l: { ...tree.l, settings: { hidden: true, emoji: '1f4d8' } },
  t: { ...tree.t, settings: { slug: 'soon', noIndex: true, description: 'Later' } },
} satisfies Record<string, Page>
const plain = state(tree)
const settingsText = `${'# Settings that Markdown has no place for, by the file of a page or the place of an entry.'}
version: 1
pages:
  a.md:
    emoji: 1f680
    slug: start
entries:
  "group: Guides":
    condition: visitor.claims.beta
    icon: book
    slug: howto
  "group: Guides > link: Status":
    hidden: true
    emoji: 1f4d8
  "group: Guides > text: Soon":
    noIndex: true
    description: Later
`

describe('Exports', () => {
  it('An export writes no file of settings when no setting needs it', () => {
    expect(plan({ now: plain }, files)).toMatchObject({ text: undefined, isDeleted: false, all: true })
  })

  it('An export writes the settings that have no other place, and an import reads them', () => {
    const { text, all, after } = plan({ now: state(treeWithSettings) }, files)
    expect(text).toBe(settingsText)
    expect(all).toBe(true)
    const { pages, warnings } = read(after)
    expect(warnings).toEqual([])
    expect(pages).toMatchObject([
      { slug: 'readme' },
      { slug: 'start', hasOwnSlug: true, emoji: '1f680' },
      {
        type: 'group',
        slug: 'howto',
        condition: 'visitor.claims.beta',
        icon: 'book',
        pages: [
          { type: 'link', hidden: true, emoji: '1f4d8' },
          { title: 'Soon', slug: 'soon', noIndex: true, description: 'Later' },
        ],
      },
    ])
  })

  it('An export changes nothing when nothing changed, whatever the branch has', () => {
    const base = state(treeWithSettings, { settings: 'all' })
    for (const text of [settingsText, settingsText.replace('start', 'theirs'), 'version: 1\n', 'mine', undefined]) {
      const branch = text === undefined ? files : { ...files, [settingsFile]: text }
      const { warnings, ...planned } = plan({ now: state(treeWithSettings), base }, branch)
      expect(planned).toMatchObject({ text: undefined, isDeleted: false })
      expect(warnings).toEqual([])
    }
  })

  it('An export writes what the last commit lacks, though the content did not change', () => {
    expect(plan({ now: state(treeWithSettings), base: state(treeWithSettings) }, files).text).toBe(settingsText)
    expect(plan({ now: state(treeWithSettings), base: state(treeWithSettings), isSameBranch: false }, files).text).toBe(
      settingsText,
    )
    const all = state(treeWithSettings, { settings: 'all' })
    expect(plan({ now: state(treeWithSettings), base: all }, files, { force: true }).text).toBe(settingsText)
  })

  it('An export changes only the lines of changed settings, and keeps what the branch changed', () => {
    const base = state(treeWithSettings, { settings: 'all' })
    const now = state({ ...treeWithSettings, l: { ...treeWithSettings.l, settings: { hidden: true, emoji: '1f4a1' } } })
    const theirs = `# ours\n${settingsText.replace('icon: book', 'icon: leaf').replace('slug: start', 'slug: theirs')}`
    const { text } = plan({ now, base }, { ...files, [settingsFile]: theirs })
    expect(text).toBe(theirs.replace('1f4d8', '1f4a1'))
  })

  it('An export removes settings that are not set any more, and the file with the last setting', () => {
    const base = state(treeWithSettings, { settings: 'all' })
    const branch = { ...files, [settingsFile]: settingsText }
    const now = state({ ...treeWithSettings, g: tree.g, t: tree.t, a: tree.a })
    expect(plan({ now, base }, branch).text).toBe(
      `${settingsText.split('pages:')[0]}entries:\n  "group: Guides > link: Status":\n    hidden: true\n    emoji: 1f4d8\n`,
    )
    expect(plan({ now: plain, base }, branch)).toMatchObject({ isDeleted: true, text: undefined, all: true })
  })

  it('An export follows entries that are renamed, moved or deleted', () => {
    const base = state(treeWithSettings, { settings: 'all' })
    const branch = { ...files, [settingsFile]: settingsText }
    const renamedGroup = state({ ...treeWithSettings, g: { ...treeWithSettings.g, title: 'Manuals' } })
    const renamePlan = plan({ now: renamedGroup, base }, branch)
    expect(renamePlan.text?.match(/".*"/g)).toEqual([
      '"group: Manuals"',
      '"group: Manuals > link: Status"',
      '"group: Manuals > text: Soon"',
    ])
    expect(read(renamePlan.after).pages[2]).toMatchObject({
      slug: 'howto',
      pages: [{ emoji: '1f4d8' }, { noIndex: true }],
    })
    const { g: _g, t: _t, ...rest } = treeWithSettings
    const deletionPlan = plan({ now: state({ ...rest, l: { ...rest.l, parent: 'a' } }), base }, branch)
    expect(deletionPlan.text?.match(/".*"/g)).toEqual(['"a.md > link: Status"'])
  })

  it.each<[string, Record<string, Page>, string | undefined]>([
    ['that its file gives', { a: { path: 'a.md', text: 'a', settings: { slug: 'a' } } }, undefined],
    ['that its file and its siblings give', { x: { path: 'x/a.md', text: 'x', settings: { slug: 'a' } }, y: { path: 'y/a.md', text: 'y', settings: { slug: 'a-1' } } }, undefined], // prettier-ignore
    ['that differs by a number from that of its file', { x: { path: 'x/a.md', text: 'x', settings: { slug: 'a-1' } }, y: { path: 'y/a.md', text: 'y', settings: { slug: 'a' } } }, undefined], // prettier-ignore
    ['of the first page, which follows its title', { h: { title: 'Start here', path: 'README.md', text: 'h', settings: { slug: 'start-here' } } }, undefined], // prettier-ignore
    ['of a file that has a number', { h: { title: 'Setup', path: 'setup-1.md', text: 'h', settings: { slug: 'setup' } } }, undefined], // prettier-ignore
    ['that is not that of a file with a number', { x: { title: 'Setup', path: 'setup-1.md', text: 'h', settings: { slug: 'begin' } } }, 'setup-1.md'], // prettier-ignore
    ['of the first page that was set by hand', { h: { title: 'Start here', path: 'README.md', text: 'h', settings: { slug: 'begin' } } }, 'README.md'], // prettier-ignore
  ])('An export writes a slug only when it was set by hand: a slug %s', (_title, pages, path) => {
    const { text, after } = plan({ now: state(pages) }, {})
    expect(text === undefined).toBe(path === undefined)
    if (path !== undefined) expect(text).toContain(`  ${path}:\n    slug: `)
    const slugs = read(after).pages.map(page => ('slug' in page ? page.slug : undefined))
    if (!('h' in pages) && !text?.includes('x/') && Object.keys(pages).length === 1)
      expect(slugs).toEqual(Object.values(pages).map(({ settings }) => settings?.['slug']))
  })

  it('An export writes the name of a file that is not that of its path', () => {
    const file = { id: 'f', path: '.gitbook/assets/a.png', hash: oidOf('x') }
    const branch = { ...files, '.gitbook/assets/a.png': 'x' }
    const stateWithFileName = (name: string, settings: 'all' | 'some' = 'some') =>
      state(tree, { files: [{ ...file, name }], settings })
    expect(plan({ now: stateWithFileName('a.png') }, branch).text).toBeUndefined()
    const { text, after } = plan({ now: stateWithFileName('logo.png') }, branch)
    expect(text).toContain('files:\n  .gitbook/assets/a.png:\n    name: logo.png\n')
    expect(read(after).files).toMatchObject([{ name: 'logo.png', hasOwnName: true }])
    const again = { ...branch, [settingsFile]: text ?? '' }
    expect(
      plan({ now: stateWithFileName('logo.png'), base: stateWithFileName('logo.png', 'all') }, again).text,
    ).toBeUndefined()
    expect(plan({ now: stateWithFileName('a.png'), base: stateWithFileName('logo.png', 'all') }, again)).toMatchObject({
      isDeleted: true,
    })
  })

  it('An export writes the title of computed pages that is not that of their specification', () => {
    const spec = { kind: 'openapi' as const, spec: 'petstore' }
    const computed = {
      type: 'builtin:openapi' as const,
      props: { models: true },
      dependencies: { spec: { ref: spec } },
    }
    const api = (title: string) =>
      state({ ...tree, c: { type: 'computed', title, computed, settings: { icon: 'paw' } } })
    const { text, after } = plan({ now: api('The API') }, files)
    expect(text).toContain('  "computed: petstore":\n    icon: paw\n    title: The API\n')
    expect(read(after).pages.at(-1)).toMatchObject({ type: 'computed', title: 'The API', icon: 'paw' })
    expect(plan({ now: api('petstore') }, files).text).not.toContain('title')
  })

  it.each<[string, Files, Parameters<typeof plan>[2], string]>([
    ['is of other tools', { [settingsFile]: 'mine: 1\n' }, {}, 'version: 1'],
    ['is of a later version', { [settingsFile]: 'version: 2\npages: {}\n' }, {}, 'version: 1'],
    ['is not UTF-8', { [settingsFile]: settingsText }, { notUtf8: [settingsFile] }, 'not UTF-8'],
    ['is a link', {}, { others: [settingsFile] }, `has ${settingsFile} there`],
    ['is a folder', { [`${settingsFile}/x`]: 'x' }, {}, 'there'],
    ['is below a file', { '.gitbook': 'x' }, {}, 'has .gitbook there'],
  ])('An export leaves a settings file that %s as it is, with a warning', (_title, more, options, reason) => {
    const branch = { ...files, ...more }
    const planned = plan({ now: state(treeWithSettings) }, branch, options)
    expect(planned).toMatchObject({ text: undefined, isDeleted: false, all: false })
    expect(planned.warnings).toEqual([{ path: settingsFile, message: expect.stringContaining(reason) }])
    expect(plan({ now: plain }, branch, options)).toMatchObject({ all: false, warnings: [] })
  })

  it('An export does not report all settings as written when the file cannot hold one', () => {
    const now = state({ ...tree, g: { ...tree.g, settings: { slug: 'guides', emoji: 'x'.repeat(60), icon: 'book' } } })
    const { text, all } = plan({ now }, files)
    expect([all, text]).toEqual([false, expect.not.stringContaining('xxx')])
    expect(text).toContain('icon: book')
  })

  it('An export leaves settings as they are when a content service of the version before sends none', () => {
    const { settings: _settings, ...old } = state(tree)
    expect(plan({ now: old }, { ...files, [settingsFile]: settingsText })).toMatchObject({
      text: undefined,
      isDeleted: false,
    })
  })
})

describe('Imports', () => {
  it('An import prefers the front matter, and warns of settings that have no effect', () => {
    const own = 'version: 1\npages:\n  a.md:\n    icon: leaf\n    emoji: 1f680\n  gone.md:\n    slug: x\nentries:\n  "link: Status":\n    slug: x\n' // prettier-ignore
    const page = '---\nicon: rocket\n---\n# A\n'
    const link = '* [a](a.md)\n* [Status](https://status.test)\n'
    const { pages, warnings } = read({ 'a.md': page, 'SUMMARY.md': link, [settingsFile]: own })
    expect(pages).toMatchObject([{ icon: 'rocket', emoji: '1f680' }, { type: 'link' }])
    expect(pages[1]).not.toHaveProperty('slug')
    expect(warnings).toEqual([
      { path: settingsFile, line: 4, message: expect.stringContaining('icon of a.md') },
      { path: settingsFile, line: 10, message: expect.stringContaining('slug of link: Status') },
      { path: settingsFile, line: 7, message: expect.stringContaining('the first is gone.md') },
    ])
  })

  it('An import gives a slug that two siblings say to the first, and another to the second', () => {
    const own = 'version: 1\npages:\n  a.md: {slug: b}\n  c.md: {slug: b}\n'
    const { pages } = read({ 'a.md': '', 'b.md': '', 'c.md': '', [settingsFile]: own })
    expect(pages).toMatchObject([{ slug: 'b', hasOwnSlug: true }, { slug: 'b-1' }, { slug: 'c' }])
  })
})
