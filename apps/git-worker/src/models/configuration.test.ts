import { describe, expect, it } from '@jest/globals'
import { projectFolder, readConfiguration } from './configuration.ts'

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
  ])('with %s', (...[, text, project, expected]) => {
    expect(readConfiguration(text, project)).toEqual({ configuration: expected, warnings: [] })
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
    ['a root inside .git', 'root: .git/hooks\n', /root: leads out/],
    ['a summary outside', 'structure:\n  summary: ../../SUMMARY.md\n', /line 2, structure\.summary: leads out/],
  ])('ends the import with file, line and field: %s', (_title, text, message) =>
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
  ])('reads a key without its %s, with a warning', (_title, text, line, key) => {
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

  it('prefers the key without them when both are present', () => {
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

  it('keeps zero-width non-joiners in the path of a redirect', () => {
    const path = 'می\u200cخواهم'
    expect(readConfiguration(`redirects:\n  ${path}: a.md\n`, '')).toMatchObject({
      configuration: { redirects: { [path]: 'a.md' } },
      warnings: [],
    })
  })

  it('warns of unknown keys', () =>
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
])('the project directory %s is the folder "%s"', (given, folder) => expect(projectFolder(given)).toBe(folder))

it.each(['..', 'a/../../b', 'a\\b', '.GIT', 'C:/x', 'a\0b'])('the project directory %j is refused', given =>
  expect(() => projectFolder(given)).toThrow(expect.objectContaining({ code: 'invalid_configuration' })),
)
