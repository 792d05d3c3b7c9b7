import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { writeObject, writeTree, type Entries, type Entry } from './git-objects.ts'
import { removeFolder } from './remove-folder.ts'

const run = promisify(execFile)
const repackAbove = 500

/** Git tidies up in the background after a push, and would write while the folder is deleted. */
const withoutMaintenance = '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n'

/** The changes of a commit: contents by path (null removes the file), and entries that are not regular files. */
export interface Change {
  files?: Record<string, string | Buffer | null>
  /** Symbolic links: target by path. */
  symlinks?: Record<string, string>
  /** Submodules: commit id by path. */
  submodules?: Record<string, string>
  /** Paths among `files` with the executable bit. */
  executable?: string[]
  message?: string
}

/** A bare repository in a temporary folder; `commit` is the id of its first commit. */
export interface TestRepository {
  path: string
  commit: string
  /** Commits on a branch (a new one starts from the first branch) and returns the commit's id. */
  addCommit(files: NonNullable<Change['files']>, options?: Omit<Change, 'files'> & { branch?: string }): Promise<string>
  remove(): Promise<void>
}

/** Creates a bare repository with one commit; paths are written unchecked, including hostile ones. */
export async function aRepository({
  branch = 'main',
  ...change
}: Change & { branch?: string }): Promise<TestRepository> {
  const path = await mkdtemp(join(tmpdir(), 'recto-repository-'))
  await initialise(path, branch)
  const branches = new Map<string, { id: string; entries: Entries }>()
  const commitOn = async (name: string, next: Change) => {
    const parent = branches.get(name) ?? branches.get(branch)
    const entries = await applied(path, parent?.entries ?? new Map(), next)
    const id = await writeCommit(path, { entries, parent: parent?.id, message: next.message ?? 'Write' })
    await writeBranch(path, name, id)
    branches.set(name, { id, entries })
    return id
  }
  const commit = await commitOn(branch, change)
  if (Object.keys(change.files ?? {}).length > repackAbove) await run('git', ['-C', path, 'repack', '-adq'])
  return {
    path,
    commit,
    addCommit: (files, options = {}) => commitOn(options.branch ?? branch, { ...options, files }),
    remove: () => removeFolder(path),
  }
}

/** Makes a bare repository as `git init` does, without a process: hundreds of tests begin with it. */
async function initialise(path: string, branch: string): Promise<void> {
  for (const folder of ['hooks', 'info', 'objects/pack', 'objects/info', 'refs/heads', 'refs/tags'])
    await mkdir(join(path, folder), { recursive: true })
  await writeFile(join(path, 'HEAD'), `ref: refs/heads/${branch}\n`)
  await writeFile(join(path, 'config'), `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${withoutMaintenance}`)
}

async function writeBranch(path: string, name: string, id: string): Promise<void> {
  const file = join(path, 'refs/heads', name)
  await mkdir(dirname(file), { recursive: true })
  // Renamed, because a server may read it.
  await writeFile(`${file}.lock`, `${id}\n`)
  await rename(`${file}.lock`, file)
}

async function applied(path: string, before: Entries, change: Change): Promise<Entries> {
  const { files = {}, symlinks = {}, submodules = {}, executable = [] } = change
  const entries = new Map(before)
  const put = async (name: string, mode: Entry['mode'], content: string | Buffer) => {
    entries.set(name, { mode, id: await writeObject(path, 'blob', Buffer.from(content)) })
  }
  for (const [name, content] of Object.entries(files)) {
    if (content === null) entries.delete(name)
    else await put(name, executable.includes(name) ? '100755' : '100644', content)
  }
  for (const [name, target] of Object.entries(symlinks)) await put(name, '120000', target)
  for (const [name, id] of Object.entries(submodules)) entries.set(name, { mode: '160000', id })
  return entries
}

interface Commit {
  entries: Entries
  parent: string | undefined
  message: string
}

async function writeCommit(path: string, { entries, parent, message }: Commit): Promise<string> {
  const who = `A Writer <writer@example.com> ${Math.floor(Date.now() / 1000)} +0000`
  const lines = [
    `tree ${await writeTree(path, entries)}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
    '',
    message,
    '',
  ]
  return writeObject(path, 'commit', Buffer.from(lines.join('\n')))
}
