import { describe, expect, it } from '@jest/globals'
import { checkPage } from '@recto/markdown'
import type { FileSource } from '@recto/repository-content'
import fc from 'fast-check'
import { checkRepository, type CheckOptions } from './check-repository.ts'
import { addedFindings, type Finding } from './findings/finding.ts'
import { aSource } from './test/a-source.ts'

/** Checks a folder, whose pages are parsed at once. */
const checkFiles = (source: FileSource, options: Omit<CheckOptions, 'checkPage'> = {}) =>
  checkRepository(source, { ...options, checkPage: async markdown => checkPage(markdown) })

type Expected = Pick<Finding, 'rule' | 'severity' | 'file'> & Partial<Finding>

const summary = '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/a.md)\n'
const small = { 'README.md': '# Home\n\n## Start\n', 'SUMMARY.md': summary, 'guide/a.md': '# A\n\n## Part\n' }

/** The text of a page, and the finding at its place. */
const references: [title: string, markdown: string, finding?: Partial<Expected>][] = [
  ['a page by its file', '[a](guide/a.md)'],
  ['a page by its folder', '[a](guide/a)'],
  ['a heading of a page', '[a](guide/a.md#part)'],
  ['a heading of the page itself', '[a](#start)\n\n## Start'],
  ['an address', '[a](https://docs.example/x) [b](mailto:a@b.example)'],
  ['a file', '![a](.gitbook/assets/a.png)'],
  ['a specification', '{% openapi-operation spec="pets" path="/" method="get" %}\n{% endopenapi-operation %}'],
  ['a page that is not there', '[a](nothing.md)', { rule: 'link', severity: 'error', target: 'nothing.md', line: 3 }],
  ['an image that is not there', '![a](a.png)', { rule: 'link', severity: 'error', target: 'a.png', line: 3 }],
  ['a file outside of the folder', '[a](../../etc/passwd)', { rule: 'link', severity: 'error' }],
  ['a heading that is not there', '[a](guide/a.md#no)', { rule: 'anchor', severity: 'warning', line: 3 }],
  [
    'a name in another case',
    '[a](Guide/A.md)',
    { rule: 'link', message: expect.stringContaining('in another case') as never },
  ],
  ['an address that cannot be read', '[a](https://:::)', { rule: 'link', severity: 'error' }],
  ['an unknown block', '{% carousel %}', { rule: 'unknown-block', severity: 'warning', target: 'carousel', line: 3 }],
  ['a block without its end', '{% tabs %}', { rule: 'unpaired-block', severity: 'error', target: 'tabs', line: 3 }],
  ['an include', '{% include ".gitbook/includes/a.md" %}'],
  ['an include that is not there', '{% include ".gitbook/includes/b.md" %}', { rule: 'link', severity: 'error' }],
]

describe('A page with', () => {
  it.each(references.map(([title, ...row]) => ({ title, row })))('$title', async ({ row: [markdown, finding] }) => {
    const files = {
      ...small,
      'README.md': `# Home\n\n${markdown}`,
      '.gitbook/assets/a.png': 'png',
      '.gitbook/includes/a.md': 'Text',
    }
    const findings = await checkFiles(aSource(files))
    expect(findings).toMatchObject(finding ? [{ file: 'README.md', ...finding }] : [])
  })
})

const app = 'https://docs.example'

const folders: [
  title: string,
  files: Record<string, string | Buffer>,
  findings: Expected[],
  options?: Omit<CheckOptions, 'checkPage'>,
][] = [
  ['a small manual', small, []],
  ['no files', {}, []],
  [
    'a table of contents that names nothing',
    { 'SUMMARY.md': '* [A](a.md)\n' },
    [{ rule: 'summary', severity: 'error', file: 'SUMMARY.md', line: 1 }],
  ],
  [
    'a table of contents that names itself and one page twice',
    { 'SUMMARY.md': '* [S](SUMMARY.md)\n* [A](a.md)\n* [A](a.md)\n', 'a.md': '# A' },
    [{ rule: 'summary', severity: 'error', file: 'SUMMARY.md', line: 3 }],
  ],
  [
    'front matter that cannot be read',
    { 'README.md': '---\na: [\n---\n# A' },
    [{ rule: 'front-matter', severity: 'error', file: 'README.md' }],
  ],
  [
    'a field of the front matter without effect',
    { 'README.md': '---\ntitle: A\nhidden: perhaps\n---\n' },
    [{ rule: 'front-matter', severity: 'warning', file: 'README.md', line: 3 }],
  ],
  [
    'a configuration that cannot be read',
    { '.gitbook.yaml': 'root: [\n' },
    [{ rule: 'repository', severity: 'error', file: '.gitbook.yaml' }],
  ],
  [
    'a configuration that leads out of the folder',
    { '.gitbook.yaml': 'root: ../..\n' },
    [{ rule: 'repository', severity: 'error', file: '.gitbook.yaml', line: 1 }],
  ],
  [
    'a configuration with an unknown field',
    { '.gitbook.yaml': 'colour: red\n' },
    [{ rule: 'configuration', severity: 'warning', file: '.gitbook.yaml', line: 1 }],
  ],
  [
    'a redirect to no page',
    { ...small, '.gitbook.yaml': 'redirects:\n  old: new.md\n' },
    [{ rule: 'configuration', severity: 'warning', file: '.gitbook.yaml' }],
  ],
  [
    'a page outside of the table of contents',
    { ...small, 'README.md': '[b](b.md)', 'b.md': '# B' },
    [
      {
        rule: 'link',
        severity: 'error',
        file: 'README.md',
        message: 'b.md leads nowhere: b.md is not in the table of contents',
      },
      { rule: 'unlisted-page', severity: 'warning', file: 'b.md' },
    ],
  ],
  [
    'a large image',
    { ...small, 'a.png': Buffer.alloc(2048) },
    [{ rule: 'image-too-large', severity: 'warning', file: 'a.png' }],
    { sizes: { maxImageBytes: 1024 } },
  ],
  [
    'a file that no import takes',
    { ...small, 'a.png': Buffer.alloc(2048) },
    [{ rule: 'file-too-large', severity: 'error', file: 'a.png' }],
    { sizes: { maxFileBytes: 1024 } },
  ],
  [
    'names that differ in case alone',
    { 'README.md': '# A', 'a.png': '1', 'A.png': '2' },
    [{ rule: 'case-collision', severity: 'warning', file: 'A.png' }],
  ],
  [
    'text that is not UTF-8',
    { 'README.md': Buffer.from([0x23, 0x20, 0xff]) },
    [{ rule: 'encoding', severity: 'warning', file: 'README.md' }],
  ],
  [
    'a link to a space that is not there',
    { 'README.md': `[a](${app}/s/one) [b](${app}/s/two)` },
    [{ rule: 'space-link', severity: 'error', file: 'README.md', target: `${app}/s/two` }],
    { publicUrl: app, spaceIds: ['one'] },
  ],
  [
    'a link to the folder of another space',
    { 'one/README.md': '[b](../two/README.md)', 'two/README.md': '# Two' },
    [{ rule: 'space-link', severity: 'error', file: 'one/README.md' }],
    { project: 'one', otherSpaces: ['two'] },
  ],
  [
    'a link to a folder that no space has',
    { 'one/README.md': '[b](../old/b.md)', 'old/b.md': '# B' },
    [
      {
        rule: 'link',
        severity: 'error',
        file: 'one/README.md',
        message: '../old/b.md leads nowhere: no space of recto.yaml has the folder old',
      },
    ],
    { project: 'one', otherSpaces: ['two'], siteFile: 'recto.yaml' },
  ],
  [
    'a page that no import takes, beside another fault',
    { ...small, 'README.md': '[a](guide/a.md#part) [b](b.md)', 'guide/a.md': Buffer.alloc(5 * 1024 * 1024 + 1, 'a') },
    [
      { rule: 'link', severity: 'error', file: 'README.md', target: 'b.md' },
      { rule: 'file-too-large', severity: 'error', file: 'guide/a.md' },
    ],
  ],
  [
    'a table of contents that no import takes',
    { 'SUMMARY.md': Buffer.alloc(3 * 1024 * 1024, '\n') },
    [{ rule: 'file-too-large', severity: 'error', file: 'SUMMARY.md' }],
  ],
  [
    'settings that cannot be read',
    { 'README.md': '# A', '.gitbook/recto.yaml': 'version: 1\npages: [\n' },
    [{ rule: 'repository', severity: 'error', file: '.gitbook/recto.yaml' }],
  ],
  [
    'a page beyond the bounds',
    { 'README.md': '>'.repeat(10_000) },
    [{ rule: 'page-bounds', severity: 'warning', file: 'README.md' }],
  ],
]

describe('A folder with', () => {
  it.each(folders.map(([title, ...row]) => ({ title, row })))('$title', async ({ row: [files, findings, options] }) =>
    expect(await checkFiles(aSource(files), options)).toMatchObject(findings),
  )

  it('entries that are left out', async () => {
    const source = aSource({ 'README.md': '# A' }, [{ path: 'link', message: 'Symbolic links are left out' }])
    expect(await checkFiles(source)).toMatchObject([{ rule: 'file', severity: 'warning', file: 'link' }])
  })
})

describe('A file that leads elsewhere when it is read', () => {
  it('is a finding, also where its failure is of another bundle, with a class of its own', async () => {
    class OtherFailure extends Error {
      override readonly name = 'ImportFailure'
      readonly code = 'invalid_repository'
      readonly path = 'README.md'
    }
    const read = () => Promise.reject(new OtherFailure('README.md leads out of the folder'))
    expect(await checkFiles({ ...aSource({ 'README.md': '# A' }), read })).toMatchObject([
      { rule: 'repository', severity: 'error', file: 'README.md' },
    ])
  })
})

describe('fingerprints', () => {
  const check = (markdown: string) => checkFiles(aSource({ 'README.md': markdown }))

  it('A finding that only moves stays the same', async () => {
    const base = await check('# A\n\n[a](x.md)')
    const head = await check('# A\n\nNew.\n\nLines.\n\n[a](x.md)\n\n[b](y.md)')
    expect(addedFindings(base, head)).toMatchObject([{ target: 'y.md' }])
    expect(addedFindings(head, base)).toEqual([])
  })

  it('One of two equal findings that is fixed is one', async () => {
    const base = await check('[a](x.md)\n\n[a](x.md)')
    const head = await check('[a](x.md)')
    expect(addedFindings(base, head)).toEqual([])
    expect(addedFindings(head, base)).toMatchObject([{ target: 'x.md' }])
  })

  it('Lines before the links change no fingerprint', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c')), fc.nat(20), async (names, count) => {
        const links = names.map(name => `[a](${name}.md)`).join('\n\n')
        const prints = async (text: string) => (await check(text)).map(({ fingerprint }) => fingerprint)
        expect(await prints(`${'Text.\n\n'.repeat(count)}${links}`)).toEqual(await prints(links))
      }),
      { numRuns: 20 },
    ))
})
