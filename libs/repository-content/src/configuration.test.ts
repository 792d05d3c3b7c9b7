import { describe, expect, it } from '@jest/globals'
import { projectFolder, readConfiguration, withExistingFiles } from './configuration.ts'

describe('.gitbook.yaml', () => {
  it.each([
    ['nothing', undefined, '', { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }],
    [
      'an empty file',
      '# only a comment\n',
      '',
      { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} },
    ],
    [
      'all fields',
      'root: ./docs/\nstructure:\n  readme: start.md\n  summary: ./toc.md\nredirects:\n  old/page: new.md',
      '',
      { root: 'docs', readme: 'docs/start.md', summary: 'docs/toc.md', redirects: { 'old/page': 'new.md' } },
    ],
    [
      'a project directory',
      undefined,
      'packages/docs',
      { root: 'packages/docs', readme: 'packages/docs/README.md', summary: 'packages/docs/SUMMARY.md', redirects: {} },
    ],
    [
      'a root beside the project, inside the repository',
      'root: ../manual',
      'packages/docs',
      {
        root: 'packages/manual',
        readme: 'packages/manual/README.md',
        summary: 'packages/manual/SUMMARY.md',
        redirects: {},
      },
    ],
    [
      'empty sections',
      'structure:\nredirects:\n',
      '',
      { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} },
    ],
  ])('The file .gitbook.yaml with %s is read without a warning', (...[, text, project, expected]) => {
    expect(readConfiguration(text, project)).toMatchObject({ configuration: expected, warnings: [] })
  })

  it.each([
    ['broken YAML', 'root: ./\nstructure:\n  readme: [a\n', /^\.gitbook\.yaml, line \d+: /],
    ['a root of the wrong type', 'structure: {}\nroot: 5\n', /^\.gitbook\.yaml, line 2, root: /],
    ['a readme of the wrong type', 'structure:\n  readme:\n    - a\n', /line 3, structure\.readme: /],
    ['redirects of the wrong type', 'redirects:\n  a: b.md\n  c: 7\n', /line 3, redirects\.c: /],
    ['a list', '- a\n', /the file: /],
    ['a root outside the repository', 'root: ../..\n', /line 1, root: leads out of the repository/],
    ['an absolute root', 'root: /etc\n', /root: leads out/],
    ['a Windows root', 'root: C:\\docs\n', /root: leads out/],
    ['a root inside .git', 'root: .git/hooks\n', /root: has a name that no repository can hold/],
    ['a summary outside', 'structure:\n  summary: ../../SUMMARY.md\n', /line 2, structure\.summary: leads out/],
  ])('An error in .gitbook.yaml ends the import with file, line and field: %s', (_title, text, message) =>
    expect(() => readConfiguration(text, '')).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        transient: false,
        path: '.gitbook.yaml',
        message: expect.stringMatching(message),
      }),
    ),
  )

  it.each([
    ['zero-width space', 'root: docs\nstructure\u200b:\n  summary: toc.md\n', 2, 'structure'],
    ['byte order mark', '\u200broot: docs\nstructure:\n  summary: toc.md\n', 1, 'root'],
    ['no-break space', 'root: docs\nstructure:\n  \u00a0summary\ufeff: toc.md\n', 3, 'summary'],
  ])('A key of .gitbook.yaml is read without its %s, with a warning', (_title, text, line, key) => {
    const { configuration, warnings } = readConfiguration(text, '')
    expect(configuration).toMatchObject({ root: 'docs', summary: 'docs/toc.md' })
    expect(warnings).toEqual([
      {
        path: '.gitbook.yaml',
        line,
        message: `The key ${key} is written with invisible characters; it is read without them`,
      },
    ])
  })

  it('A key of .gitbook.yaml without invisible characters wins over one with them', () => {
    const { configuration, warnings } = readConfiguration(
      'structure\u200b:\n  summary: old.md\nstructure:\n  summary: new.md\n',
      '',
    )
    expect(configuration.summary).toBe('new.md')
    expect(warnings).toContainEqual({
      path: '.gitbook.yaml',
      line: 1,
      message: expect.stringContaining('it has no effect'),
    })
  })

  it('The path of a redirect in .gitbook.yaml keeps zero-width non-joiners', () => {
    const path = 'می\u200cخواهم'
    expect(readConfiguration(`redirects:\n  ${path}: a.md\n`, '')).toMatchObject({
      configuration: { redirects: { [path]: 'a.md' } },
      warnings: [],
    })
  })

  it.each([
    ['root', 'root: ./docs\u200b\n', 1, 'root', { root: 'docs' }],
    ['root', 'root: "\ufeff./docs/"\n', 1, 'root', { root: 'docs' }],
    ['root', 'root: do\u00adcs\n', 1, 'root', { root: 'docs' }],
    ['summary', 'structure:\n  summary: SUMMARY.md\u200b\n', 2, 'summary', { summary: 'SUMMARY.md' }],
    ['summary', 'structure:\n  summary: toc.md \u200b\r\n', 2, 'summary', { summary: 'toc.md' }],
    ['readme', 'structure:\n  readme: \u00a0start.md\n', 2, 'readme', { readme: 'start.md' }],
    ['readme', 'structure:\n  readme: Übersicht.md\u200b\n', 2, 'readme', { readme: 'Übersicht.md' }],
    ['target', 'redirects:\n  old: \u200bnew.md\n', 2, 'old', { redirects: { old: 'new.md' } }],
  ])(
    'A %s in .gitbook.yaml is read without invisible characters, with a warning: %j',
    (_title, text, line, key, expected) => {
      const { configuration, warnings } = readConfiguration(text, '')
      expect(configuration).toMatchObject(expected)
      expect(warnings).toEqual([
        {
          path: '.gitbook.yaml',
          line,
          message: `The value of ${key} is written with invisible characters; it is read without them`,
        },
      ])
    },
  )

  it('The path of a redirect in .gitbook.yaml is read without invisible characters', () => {
    const { configuration, warnings } = readConfiguration('redirects:\n  old/page\u200b: new.md\n', '')
    expect(configuration.redirects).toEqual({ 'old/page': 'new.md' })
    expect(warnings).toMatchObject([{ line: 2, message: expect.stringContaining('The key old/page') }])
  })

  it.each([
    ['a joiner in a word', 'root: می\u200cخواهم\n', { root: 'می\u200cخواهم' }],
    ['a joiner in an emoji', 'root: 👩\u200d💻\n', { root: '👩\u200d💻' }],
    ['the tags of a flag', 'root: 🏴\u{e0067}\u{e0062}\u{e007f}\n', { root: '🏴\u{e0067}\u{e0062}\u{e007f}' }],
  ])('A value in .gitbook.yaml keeps %s', (_title, text, expected) =>
    expect(readConfiguration(text, '')).toMatchObject({ configuration: expected, warnings: [] }),
  )

  it('A root in .gitbook.yaml that leads out of the repository is refused, even if invisible characters hide it', () =>
    expect(() => readConfiguration('root: .\u200b./docs\n', '')).toThrow(/line 1, root: leads out/))

  it('Unknown keys of .gitbook.yaml give warnings', () =>
    expect(readConfiguration('root: ./\nplugins: []\nstructure:\n  summery: x\n', 'docs').warnings).toEqual([
      { path: 'docs/.gitbook.yaml', line: 2, message: expect.stringContaining('plugins') },
      { path: 'docs/.gitbook.yaml', line: 4, message: expect.stringContaining('structure.summery') },
    ]))
})

it.each([
  [undefined, ''],
  ['', ''],
  ['./', ''],
  ['/docs/', 'docs'],
  ['a/./b', 'a/b'],
])('The project directory %s is the folder "%s"', (directory, folder) => expect(projectFolder(directory)).toBe(folder))

it.each(['..', 'a/../../b', 'a\\b', '.GIT', 'C:/x', 'a\0b'])('The project directory %j is refused', directory =>
  expect(() => projectFolder(directory)).toThrow(expect.objectContaining({ code: 'invalid_configuration' })),
)

describe('Files named by .gitbook.yaml', () => {
  const yaml = 'root: docs\nstructure:\n  readme: start.md\n  summary: toc.md\n'
  const missingFileWarning = (field: string, line: number, end: string) => ({
    path: '.gitbook.yaml',
    line,
    message: `structure.${field} names docs/${field === 'readme' ? 'start' : 'toc'}.md, which is not a file of the content${end}`,
  })

  it.each<[string, string, string[], object, object[]]>([
    ['and that is there is taken', yaml, ['docs/start.md', 'docs/toc.md', 'docs/README.md', 'docs/SUMMARY.md'], {}, []],
    [
      'and that is not there gives way to the usual name',
      yaml,
      ['docs/README.md', 'docs/SUMMARY.md'],
      { readme: 'docs/README.md', summary: 'docs/SUMMARY.md' },
      [
        missingFileWarning('readme', 3, '; docs/README.md is taken instead'),
        missingFileWarning('summary', 4, '; docs/SUMMARY.md is taken instead'),
      ],
    ],
    [
      'stays when the usual one is not there either',
      yaml,
      ['docs/start.md', 'SUMMARY.md'],
      {},
      [missingFileWarning('summary', 4, '')],
    ],
    ['may have the usual name', 'structure:\n  summary: ./SUMMARY.md\n', ['SUMMARY.md'], {}, []],
  ])('A file that .gitbook.yaml names %s', (_title, text, files, expected, warnings) => {
    const declared = readConfiguration(text, '')
    const existing = withExistingFiles(declared, path => files.includes(path))
    expect(existing).toEqual({ configuration: { ...declared.configuration, ...expected }, warnings })
  })

  it('A missing file that .gitbook.yaml does not name gives no warning', () =>
    expect(withExistingFiles(readConfiguration('root: docs\n', ''), () => false).warnings).toEqual([]))
})
