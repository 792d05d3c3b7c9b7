import { execFileSync } from 'node:child_process'
import { parseCommit } from '@recto/git-pack'
import { defaultLimits } from '@recto/repository-content'
import { aRepository } from '@recto/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { nothingMissing } from '../clones/missing-files.ts'
import { openClone } from '../clones/open-clone.ts'
import { faultsOf } from './faults-of.ts'
import { listContent } from './list-content.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

/** The content of a commit of these files, and its faults; at most three files and folders may be listed. */
async function inspect(files: Record<string, string>, project?: string) {
  const repository = await aRepository({ files })
  open.push(() => repository.remove())
  execFileSync('git', ['-C', repository.path, 'repack', '-adq'])
  const limits = { ...defaultLimits, maxFiles: 3 }
  const { store, close } = await openClone(repository.path, limits)
  open.push(close)
  const { tree } = parseCommit(await store.read(repository.commit, 'commit'))
  const branch = { store, missing: nothingMissing }
  const listing = await listContent(branch, { tree, project }, { limits, signal: new AbortController().signal })
  const faults = await faultsOf(branch, listing, project)
  return { paths: listing.files.map(({ path }) => path).toSorted(), faults: faults.map(({ message }) => message) }
}

const code = { 'src/a.ts': '', 'src/b.ts': '', 'src/c/d.ts': '', 'NOTES.md': '[broken](nowhere.md)' }
const outside = /src\/a\.ts.*: it is outside of the content$/

describe('The content of a commit is', () => {
  it.each([
    [
      'what is below the root that the configuration names',
      { '.gitbook.yaml': 'root: ./docs\n', 'docs/README.md': '# Home' },
      undefined,
      ['.gitbook.yaml', 'docs/README.md'],
    ],
    ['what is below the project directory', { 'docs/README.md': '# Home' }, 'docs', ['docs/README.md']],
    [
      'what is below the root of a project directory',
      { 'site/.gitbook.yaml': 'root: ./pages\n', 'site/pages/README.md': '# Home', 'site/x.md': '[y](y.md)' },
      'site',
      ['site/.gitbook.yaml', 'site/pages/README.md'],
    ],
  ])('%s, however many files the repository has beside it', async (_case, files, project, paths) => {
    expect(await inspect({ ...code, ...files }, project)).toEqual({ paths, faults: [] })
  })

  it('its configuration alone, with its fault, where that leads out of the repository', async () => {
    const { paths, faults } = await inspect({ ...code, '.gitbook.yaml': 'root: ../..\n' })
    expect(paths).toEqual(['.gitbook.yaml'])
    expect(faults).toHaveLength(1)
  })

  it('without the files that its pages link to outside of it, and the fault says so', async () => {
    const files = { ...code, '.gitbook.yaml': 'root: ./docs\n', 'docs/README.md': '# Home\n\n[code](../src/a.ts)' }
    expect((await inspect(files)).faults).toEqual([expect.stringMatching(outside)])
  })

  it('refused when it has more files than an import reads', async () => {
    const pages = Object.fromEntries(['README', 'b', 'c', 'd'].map(name => [`docs/${name}.md`, `# ${name}`]))
    await expect(inspect({ '.gitbook.yaml': 'root: ./docs\n', ...pages })).rejects.toMatchObject({ code: 'too_large' })
  })
})
