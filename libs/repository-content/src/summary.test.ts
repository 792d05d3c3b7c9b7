import { cloneBundle, sharedBundle } from '@recto/testing'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import type { OutlineEntry } from './outline.ts'
import { outlineOfSummary } from './summary-outline.ts'
import { readSummary } from './summary.ts'

const files = new Set([
  'README.md',
  'a.md',
  'b.md',
  'c.md',
  'in tail (2).md',
  'guide/README.md',
  'guide/setup.md',
  'file.pdf',
])

function outline(text: string, options: { path?: string; root?: string; files?: Set<string> } = {}) {
  const { path = 'SUMMARY.md', root = '', files: present = files } = options
  return outlineOfSummary(readSummary(text, path), { path, root, has: file => present.has(file) })
}

/** The tree as lines: indentation, mark of the kind, title, target. */
function drawn(entries: OutlineEntry[], depth = 0): string[] {
  return entries.flatMap(entry => {
    const target = entry.kind === 'page' ? ` <${entry.path}>` : entry.kind === 'link' ? ` <${entry.href}>` : ''
    return [
      `${'  '.repeat(depth)}${entry.kind} ${entry.title ?? ''}${target}`,
      ...('children' in entry ? drawn(entry.children, depth + 1) : []),
    ]
  })
}

describe('SUMMARY.md', () => {
  it.each([
    [
      'keeps order and nesting by two spaces',
      '# T\n\n* [A](a.md)\n  * [B](b.md)\n    * [C](c.md)\n* [R](README.md)',
      ['page A <a.md>', '  page B <b.md>', '    page C <c.md>', 'page R <README.md>'],
    ],
    [
      'nests by four spaces and accepts hyphens',
      '- [A](a.md)\n    - [B](b.md)\n        - [C](c.md)',
      ['page A <a.md>', '  page B <b.md>', '    page C <c.md>'],
    ],
    [
      'ignores the first title and makes groups of headings',
      '# Table\n\n* [A](a.md)\n\n## First \\(1\\)\n\n* [B](b.md)\n\n## Empty',
      ['page A <a.md>', 'group First (1)', '  page B <b.md>', 'group Empty'],
    ],
    [
      'reads titles as plain text',
      '* [Install \\(Red Hat\\) `x` **bold** monitor\\_agent &amp;](a.md)',
      ['page Install (Red Hat) x bold monitor_agent & <a.md>'],
    ],
    ['prefers the quoted title for navigation', '* [A long title](a.md "Short")', ['page Short <a.md>']],
    ['decodes targets', '* [A](in%20tail%20%282%29.md)', ['page A <in tail (2).md>']],
    ['reads targets in angle brackets', '* [A](<in tail (2).md>)', ['page A <in tail (2).md>']],
    ['reads targets with plain spaces', '* [A](in tail (2).md)', ['page A <in tail (2).md>']],
    ['ignores anchor and query of a target', '* [A](a.md#x)\n* [B](./b.md?raw=1)', ['page A <a.md>', 'page B <b.md>']],
    [
      'resolves a folder to its README',
      '* [G](guide/)\n  * [S](/guide/setup.md)',
      ['page G <guide/README.md>', '  page S <guide/setup.md>'],
    ],
    [
      'makes links of URLs',
      '* [Site](https://example.org/x?y#z)\n* [Mail](mailto:a@example.org)',
      ['link Site <https://example.org/x?y#z>', 'link Mail <mailto:a@example.org>'],
    ],
    [
      'keeps the children of an entry without link',
      '* Old\n  * Older \\(EOL\\)\n    * [A](a.md)',
      ['text Old', '  text Older (EOL)', '    page A <a.md>'],
    ],
    [
      'keeps the children of a missing file',
      '* [Gone](gone.md)\n  * [A](a.md)\n* [Lost](lost.md)',
      ['text Gone', '  page A <a.md>'],
    ],
    [
      'counts a file once, the first time',
      '* [A](a.md)\n* [Again](./a.md)\n  * [B](b.md)',
      ['page A <a.md>', 'text Again', '  page B <b.md>'],
    ],
    [
      'makes no group of a heading without text',
      '* [A](a.md)\n\n## One\n\n* [B](b.md)\n\n##\n\n* [C](c.md)',
      ['page A <a.md>', 'group One', '  page B <b.md>', 'page C <c.md>'],
    ],
    ['leaves out an entry without title and target, not those below it', '* []()\n  * [A](a.md)', ['page A <a.md>']],
    ['leaves titles out that are empty', '* [](a.md)', ['page  <a.md>']],
    [
      'reads a byte order mark and CRLF',
      '\ufeff# T\r\n\r\n* [A](a.md)\r\n  * [B](b.md)\r\n',
      ['page A <a.md>', '  page B <b.md>'],
    ],
    [
      'places child pages of an external link after it',
      '* [Site](https://example.org)\n  * [A](a.md)',
      ['link Site <https://example.org>', 'page A <a.md>'],
    ],
    ['omits links with a script URL', '* [X](javascript:alert%281%29)\n* [A](a.md)', ['page A <a.md>']],
    ['is empty without lists', 'Nothing here', []],
  ])('The parser of SUMMARY.md %s', (_title, text, expected) => expect(drawn(outline(text).entries)).toEqual(expected))

  it('A computed entry of SUMMARY.md becomes pages from a specification', () => {
    const text =
      '* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n    downloadLink: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```'
    expect(outline(text)).toEqual({
      warnings: [],
      entries: [
        {
          kind: 'computed',
          title: 'petstore',
          computed: {
            type: 'builtin:openapi',
            props: { models: true },
            dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
          },
          place: { line: 1, end: 11 },
        },
      ],
    })
  })

  it.each([
    ['a missing file', '* [A](a.md)\n* [G](gone.md)', 2, 'gone.md is not in the content folder'],
    ['a file that is no page', '# T\n\n* [P](file.pdf)', 3, 'file.pdf is not a Markdown file'],
    ['a file listed twice', '* [A](a.md)\n* [A](a.md)', 2, 'a.md is listed twice; the first entry counts'],
    [
      'a path out of the repository',
      '* [A](../../etc/passwd.md)',
      1,
      '../../etc/passwd.md leads out of the repository',
    ],
    [
      'a name that no repository has',
      '* [A](n/new%0Aline.md)',
      1,
      'n/new%0Aline.md has a name that no repository can hold',
    ],
    ['an anchor alone', '* [A](#x)', 1, 'The entry leads to no file'],
    [
      'an unknown computed entry',
      '* [A](a.md)\n* ```yaml\n  type: other\n  ```',
      2,
      'The computed entry is left out: type: only builtin:openapi is known',
    ],
    ['a computed entry that is no YAML', '* ```yaml\n  a: [\n  ```', 1, 'The computed entry is left out'],
  ] as const)('An import warns of %s in SUMMARY.md, with its line', (...[, text, line, message]) =>
    expect(outline(text).warnings).toEqual([{ path: 'SUMMARY.md', line, message: expect.stringContaining(message) }]),
  )

  it('SUMMARY.md is read from its own folder, below the content root', () => {
    const present = new Set(['docs/toc/SUMMARY.md', 'docs/toc/a.md', 'docs/b.md', 'a.md'])
    const { entries } = outline('* [A](a.md)\n* [B](b.md)\n* [Out](../../a.md)', {
      path: 'docs/toc/SUMMARY.md',
      root: 'docs',
      files: present,
    })
    expect(drawn(entries)).toEqual(['page A <docs/toc/a.md>', 'page B <docs/b.md>'])
  })
})

describe('SUMMARY.md of real repositories', () => {
  const bundle = sharedBundle('fluentd-docs.bundle')
  const check = bundle ? it : it.skip
  check(
    `has 191 pages and three entries without file${bundle ? '' : ' (skipped: fluentd-docs.bundle is not there)'}`,
    async () => {
      const { path, remove } = await cloneBundle(bundle ?? '')
      const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { encoding: 'utf8' })
      const { entries, warnings } = outline(git('show', 'HEAD:SUMMARY.md'), {
        files: new Set(git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0')),
      })
      await remove()
      const lines = drawn(entries)
      expect(warnings).toEqual([])
      expect(lines.filter(line => line.trim().startsWith('page '))).toHaveLength(191)
      expect(lines.filter(line => line.trim().startsWith('text '))).toEqual([
        '  text Obsolete Installation',
        '    text Treasure Agent v4 Installation',
        '    text Treasure Agent v3 (EOL) Installation',
      ])
      expect(lines[0]).toBe('page Introduction <README.md>')
      expect(lines).toContain(
        '      page Install by RPM Package v4 (Red Hat Linux) <installation/install-by-rpm-td-agent-v4.md>',
      )
      expect(lines.at(-1)).toBe('page Troubleshooting Guide <troubleshooting-guide.md>')
    },
  )
})
