import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment, scratchRoot } from './config.ts'

/** A temporary folder for the inputs of one batch. */
export class Scratch {
  readonly folder = mkdtempSync(join(scratchRoot, 'recto-fuzz-'))

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  path(...names: string[]): string {
    return join(this.folder, ...names)
  }

  /** Creates an empty folder of this name. */
  fresh(name: string): string {
    const path = this.path(name)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path)
    return path
  }

  /** Creates an empty bare repository without hooks and template files. */
  repository(name: string, config = ''): string {
    const gitdir = this.fresh(name)
    for (const folder of ['objects/pack', 'refs']) mkdirSync(join(gitdir, folder), { recursive: true })
    writeFileSync(join(gitdir, 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(gitdir, 'config'), `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${config}`)
    return gitdir
  }
}

/** Runs a program with the environment of native git. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: Buffer | string } = {},
) {
  const { cwd, env = {}, input = '' } = options
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...(cwd && { cwd }),
    env: gitEnvironment(env),
    input,
    maxBuffer: 2e9,
  })
  // A program may exit before it has read all its input.
  if (error && (error as { code?: string }).code !== 'EPIPE') throw error
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') }
}
