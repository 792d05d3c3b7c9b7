import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from './config.ts'
import { removeFolder } from '@recto/testing'

const run = promisify(execFile)
const version = '0.25.1'
const sha512 = '55RUhKVq83hDQOEOD2Kr3W9gNfjaPXp2iLJNcBZc+MdCcvWaxT2JbfKqMTcesv/mr4HcmIy2AZjXjvTJWkG31A=='

/** The command line tool that the makers of the published client publish. */
export interface OfficialCommandLine {
  /** Runs `gitbook` with these arguments; rejects when it exits with an error. */
  gitbook(place: { url: string; token: string }, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/**
 * Fetches the tool from the registry, without what it installs for integrations: its install script downloads a program, and its largest
 * package runs workers. Throws when the registry cannot be reached.
 */
export function officialCommandLine(): OfficialCommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'recto-command-line-'))
  try {
    unpack(folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return {
    remove: () => removeFolder(folder),
    gitbook: async ({ url, token }, ...args) => {
      const env = { PATH: programPath, HOME: folder, GITBOOK_ENDPOINT: url, GITBOOK_TOKEN: token }
      const { stdout } = await run(process.execPath, [join(folder, 'package/cli.js'), ...args], { cwd: folder, env })
      return stdout
    },
  }
}

function unpack(folder: string): void {
  const pack = ['pack', `@gitbook/cli@${version}`, '--silent', '--prefer-offline', `--pack-destination=${folder}`]
  const archive = join(folder, execFileSync('npm', pack, { encoding: 'utf8' }).trim())
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (digest !== sha512) throw new Error(`@gitbook/cli ${version} is not what it was: sha512-${digest}`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'miniflare'), { recursive: true })
  writeFileSync(join(modules, 'miniflare/index.js'), 'module.exports = {}\n')
  symlinkSync(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')), join(modules, 'esbuild'))
}
