import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOutline, toDocument, writePage, writtenReference } from '@recto/markdown'
import { expect, it } from '@jest/globals'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { contentLookup, type ContentLookup } from './content-lookup.ts'
import { indexPages } from './page-tree.ts'
import { resolveTarget } from '@recto/repository-content'
import { withVisitorLinks } from './visitor-document.ts'

const at = '2026-01-01T00:00:00.000Z'
const site = 'https://docs.test/'
const download = 'https://api.test/files/'

/** The files of a repository in memory. */
type Files = Map<string, string>

function contentOf(files: Files) {
  const pages = new Map<string, PageRecord>()
  const assets: FileRecord[] = []
  for (const path of files.keys()) {
    const git = { path, oid: '' }
    const order = String(pages.size).padStart(8, '0')
    const slug = path.replace(/\.md$/, '').toLowerCase()
    const record = { id: path, type: 'document' as const, title: path, parent: null, order, slug, git }
    if (path.endsWith('.md')) pages.set(path, { ...record, createdAt: at, updatedAt: at })
    else assets.push({ id: path, name: path, hash: '', size: 0, contentType: '', git })
  }
  const index = indexPages([...pages.values()])
  const fileIndex = { inOrder: assets, get: (id: string) => assets.find(asset => asset.id === id) }
  const content = contentLookup(
    { pages: index, files: fileIndex, reusable: [], root: '' },
    { spaceId: 's', publicUrl: 'https://api.test' },
  )
  return { index, content }
}

/** A page as visitors read it. */
function read(file: string, markdown: string, { index, content }: ReturnType<typeof contentOf>): string {
  const links = {
    spaceId: 's',
    path: index.pathOf(file),
    pathOf: (page: string) => index.pathOf(page),
    fileUrl: (id: string) => `${download}${encodeURIComponent(id)}`,
    addressOf: () => site,
    placeOf: () => undefined,
  }
  const document = toDocument(markdown, { reference: writtenReference })
  return writePage({ title: file, document: withVisitorLinks(document, { page: file, file }, { content, links }) })
}

/** The targets of a page that lead to something in the content, and those that lead nowhere. */
function linksOf(file: string, markdown: string, content: ContentLookup) {
  const references = readOutline(markdown).references.map(reference => {
    const { status, ref } = resolveTarget({ ...reference, page: file, file }, content)
    return { target: reference.target, isAlive: status === 'ok' && ref?.kind !== 'url', isDead: status === 'broken' }
  })
  const targets = (kind: 'isAlive' | 'isDead') => references.filter(one => one[kind]).map(({ target }) => target)
  return { alive: targets('isAlive'), dead: new Set(targets('isDead')) }
}

/** The dead targets in a page for visitors that were not dead in the source. */
function deadFor(
  path: string,
  markdown: string,
  { index, dead }: { index: ReturnType<typeof indexPages>; dead: Set<string> },
) {
  const isPage = (url: URL) =>
    index.byPathOfUrl(decodeURIComponent(url.pathname).replace(/^\/|\/$/g, '')) !== undefined || url.pathname === '/'
  const opens = (target: string) => {
    const url = new URL(target.replaceAll('&amp;', '&'), `${site}${path}`)
    return url.href.startsWith(site) ? isPage(url) : true
  }
  const { references } = readOutline(markdown)
  return references.map(({ target }) => target).filter(target => !dead.has(target) && !opens(target))
}

function checkAll(files: Files): { pages: number; links: number } {
  const made = contentOf(files)
  const counted = { pages: 0, links: 0 }
  const faults: unknown[] = []
  for (const [file, markdown] of files) {
    if (!file.endsWith('.md')) continue
    const { alive, dead } = linksOf(file, markdown, made.content)
    const document = read(file, markdown, made)
    const deadLinks = deadFor(made.index.pathOf(file), document, { index: made.index, dead })
    if (deadLinks.length > 0) faults.push([file, deadLinks])
    counted.pages += 1
    counted.links += alive.length
  }
  expect(faults).toEqual([])
  return counted
}

it('A page has the title first, the description next, and links that open', () => {
  const files: Files = new Map([
    ['README.md', '# Home'],
    [
      'guides/install.md',
      '---\nicon: x\n---\n\n[Home](../README.md) and [Linux](setup/linux.md#apt), ![](../logo.png)\n',
    ],
    [
      'guides/setup/linux.md',
      '{% content-ref url="../install.md" %}\n[install.md](../install.md)\n{% endcontent-ref %}\n',
    ],
    ['logo.png', ''],
  ])
  const made = contentOf(files)
  const install = read('guides/install.md', files.get('guides/install.md') ?? '', made)
  expect(install).toMatch(/^# guides\/install\.md\n\n\[Home\]\(\.\.\/readme\) and \[Linux\]\(setup\/linux#apt\)/)
  expect(install).toContain(`${download}logo.png`)
  expect(install).not.toContain('icon: x')
  expect(read('guides/setup/linux.md', files.get('guides/setup/linux.md') ?? '', made)).toContain(
    '{% content-ref url="https://docs.test/guides/install" %}',
  )
  expect(checkAll(files)).toEqual({ pages: 3, links: 5 })
})

const data = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url))
const bundles = ['fluentd-docs', 'block-normalization']

it.each(bundles)('No link of %s dies on the way to a visitor', name => {
  const bundle = join(data, `${name}.bundle`)
  if (!existsSync(bundle)) return void process.stdout.write(`not checked: there is no ${name}.bundle\n`)
  const folder = mkdtempSync(join(tmpdir(), 'recto-bundle-'))
  try {
    const git = (...call: string[]) => execFileSync('git', ['-C', folder, ...call], { maxBuffer: 64 << 20 })
    execFileSync('git', ['clone', '--quiet', '--bare', bundle, folder])
    const paths = git('ls-tree', '-r', '-z', '--name-only', 'HEAD').toString().split('\0').filter(Boolean)
    const text = (path: string) => (path.endsWith('.md') ? git('show', `HEAD:${path}`).toString() : '')
    const { pages, links } = checkAll(new Map(paths.map(path => [path, text(path)])))
    expect(pages).toBeGreaterThan(5)
    expect(links).toBeGreaterThan(5)
    process.stdout.write(`${name}: ${links} links of ${pages} pages\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
