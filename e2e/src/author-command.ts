import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@recto/testing'
import { cleanEnvironment } from './config.ts'

/** How a run of the author's command ended. */
export interface CommandRun {
  code: number | null
  stdout: string
  stderr: string
}

/** The author's command. */
export const commandFile = join(import.meta.dirname, '../../dist/apps/cli/main.js')

/** The folder of what the commands of a test remember. */
const cache = mkdtempSync(join(tmpdir(), 'recto-cache-'))
process.once('exit', () => rmSync(cache, { recursive: true, force: true }))

/** Runs the author's command to its end. */
export async function recto(...args: string[]): Promise<CommandRun> {
  return rectoIn(process.cwd(), ...args)
}

/** Runs the author's command in a working folder to its end. */
export async function rectoIn(workingFolder: string, ...args: string[]): Promise<CommandRun> {
  const running = startIn(workingFolder, args)
  const code = await running.ended
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

/** Starts the author's command. */
function startRecto(...args: string[]) {
  return startIn(process.cwd(), args)
}

function startIn(cwd: string, args: readonly string[]) {
  const env = { ...cleanEnvironment(), XDG_CACHE_HOME: cache }
  const child = spawn(process.execPath, [commandFile, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Starts a preview; its address is undefined where it has ended. */
export async function startPreview(folder: string) {
  const running = startRecto('preview', folder, '--port', '0')
  let code: number | null | undefined
  void running.ended.then(ended => (code = ended))
  const url = await eventually(() => {
    const [address] = /http:\S+/.exec(running.stdout()) ?? []
    if (address === undefined && code === undefined) throw new Error('The preview has neither begun nor ended')
    return address
  })
  return { ...running, url }
}

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'

/** A folder with two spaces, whose pages refer to each other, and one that not everybody sees. */
export const manual: Record<string, string> = {
  'recto.yaml': 'title: Two manuals\nspaces:\n  - path: one\n    title: One\n  - path: two\n    title: Two\n',
  'one/SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Setup & <more>](guide/set-up.md)\n* [Secret](secret.md)\n',
  'one/README.md':
    '# Home\n\nSee the [setup](guide/set-up.md#install) and ![a picture](.gitbook/assets/a.svg).\n\n<script>alert(1)</script>\n',
  'one/guide/README.md': '# Guide\n\n{% hint style="info" %}\nA note.\n{% endhint %}\n\n[secret](../secret.md)\n',
  'one/guide/set-up.md':
    '# Setup\n\n## Install\n\nTurn the brass needle. [Home](../README.md)\n\n{% tabs %}\n{% tab title="A" %}\nText\n{% endtab %}\n{% endtabs %}\n',
  'one/secret.md': '---\nif: visitor.claims.beta\n---\n# Secret\n\nonly-for-beta\n',
  'one/.gitbook.yaml': 'redirects:\n  old/setup: guide/set-up.md\n  older: guide/README.md\n',
  'one/.gitbook/assets/a.svg': image,
  'two/.gitbook.yaml': 'redirects:\n  old page.html: README.md\n',
  'two/README.md': '# Second\n\nOther text.\n',
}

/** Writes files into a folder, those of a manual unless given. */
export function writeManual(files: Record<string, string> = manual): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'recto-manual-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
