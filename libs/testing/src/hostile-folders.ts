import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text of a file outside of each folder, which nobody may read. */
export const secret = 'the-secret-outside-of-the-folder'

/** A folder in a temporary one, beside a file with a secret. */
export function aFolder(files: Record<string, string | Buffer> = {}): {
  path: string
  outside: string
  remove(): void
} {
  const parent = mkdtempSync(join(tmpdir(), 'recto-folder-'))
  const path = join(parent, 'docs')
  mkdirSync(path)
  const outside = join(parent, 'secret.md')
  writeFileSync(outside, `# ${secret}\n`)
  for (const [name, content] of Object.entries(files)) addFile(path, name, content)
  return { path, outside, remove: () => rmSync(parent, { recursive: true, force: true }) }
}

/** Writes a file of a folder, and the folders above it. */
export function addFile(folder: string, name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), content)
}

type Prepare = (folder: string, outside: string) => void

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
for (let level = 0; level < 9; level += 1) {
  const name = String.fromCharCode(97 + level)
  const next = String.fromCharCode(98 + level)
  bomb.push(`${next}: &${next} [${Array.from({ length: 9 }, () => `*${name}`).join(', ')}]`)
}

/** Folders that somebody made to harm whoever reads them. */
export const hostileFolders: readonly [title: string, prepare: Prepare][] = [
  [
    'links that lead out of it',
    folder =>
      addFile(folder, 'README.md', '# A\n\n[a](../secret.md) ![b](/../../secret.md) {% include "../secret.md" %}\n'),
  ],
  [
    'symbolic links',
    (folder, outside) => {
      symlinkSync(outside, join(folder, 'README.md'))
      symlinkSync(join(folder, '..'), join(folder, 'above'))
      addFile(folder, 'SUMMARY.md', '* [A](README.md)\n* [B](above/secret.md)\n')
    },
  ],
  [
    'a configuration that leads out of it',
    folder => addFile(folder, '.gitbook.yaml', 'root: ../\nstructure:\n  readme: ../secret.md\n'),
  ],
  [
    'a file of 100 MB',
    folder => {
      addFile(folder, 'README.md', '')
      truncateSync(join(folder, 'README.md'), 100 * 1024 * 1024)
    },
  ],
  [
    'a thousand levels',
    folder => {
      // One command: a path of a thousand levels is longer than a call takes.
      const levels = Array.from({ length: 50 }, () => 'd').join('/')
      const script = `for i in $(seq 20); do mkdir -p ${levels} && cd ${levels} || exit 1; done; echo "# deep" > README.md`
      execFileSync('sh', ['-c', script], { cwd: folder })
    },
  ],
  [
    'names that no repository has',
    folder => {
      addFile(folder, 'README.md', '# A')
      writeFileSync(join(folder, 'line\nbreak.md'), '# B')
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]), '# C')
    },
  ],
  [
    'names that differ in case alone',
    folder => {
      addFile(folder, 'README.md', '# A')
      addFile(folder, 'a.md', '# B')
      addFile(folder, 'A.md', '# C')
    },
  ],
  [
    'a table of contents that names itself',
    folder => addFile(folder, 'SUMMARY.md', '* [S](SUMMARY.md)\n  * [S](SUMMARY.md)\n'),
  ],
  [
    'a bomb of YAML',
    folder => {
      addFile(folder, 'README.md', `---\n${bomb.join('\n')}\n---\n# A\n`)
      addFile(folder, '.gitbook/vars.yaml', bomb.join('\n'))
    },
  ],
  [
    'contents that include each other',
    folder => {
      addFile(folder, 'README.md', '# A\n\n{% include ".gitbook/includes/a.md" %}\n')
      addFile(folder, '.gitbook/includes/a.md', '{% include "b.md" %}\n')
      addFile(folder, '.gitbook/includes/b.md', '{% include "a.md" %}\n')
    },
  ],
  ['huge front matter', folder => addFile(folder, 'README.md', `---\na: ${'x'.repeat(4 * 1024 * 1024)}\n---\n# A\n`)],
]
