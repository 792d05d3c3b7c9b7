import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { waitLimit } from '@recto/testing'
import { cleanEnvironment } from './config.ts'
import { readerSites, type ReaderSites } from './reader-sites.ts'
import { removeData } from './stack.ts'

let sites: ReaderSites
let folder: string
beforeAll(async () => {
  sites = await readerSites()
  folder = mkdtempSync(join(tmpdir(), 'recto-guides-'))
  const { resolve } = createRequire(new URL('../../apps/reader/package.json', import.meta.url))
  for (const weight of [400, 700])
    copyFileSync(
      resolve(`@fontsource/lato/files/lato-latin-${weight}-normal.woff2`),
      join(folder, `acme-${weight}.woff2`),
    )
})
afterAll(async () => {
  await sites.stop()
  await removeData(folder)
})

/** Commands of a guide, and the output that it says they have, where it says one; `…` stands for anything. */
interface Step {
  commands: string
  output: string | undefined
}

const separator = '=== the next step ==='

function stepsIn(guide: string): Step[] {
  const markdown = readFileSync(new URL(`../../docs/${guide}`, import.meta.url), 'utf8')
  return [...markdown.matchAll(/```sh\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g)].map(([, commands = '', output]) => ({
    commands,
    output,
  }))
}

/** Runs the steps of a guide in one shell; resolves to the output of each. */
async function run(steps: readonly Step[]): Promise<string[]> {
  const { stack, organizationId, docs, reader } = sites
  const script = [
    `call() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`,
    ...steps.map(({ commands }) => commands),
  ].join(`\necho '${separator}'\n`)
  const variables = {
    API: `${stack.url}/v1`,
    TOKEN: sites.admin.token,
    ORGANIZATION: organizationId,
    SITE: docs.siteId,
  }
  const shell = spawn('bash', ['-u'], {
    cwd: folder,
    // Node prints values in colors where the variable says so.
    env: { ...cleanEnvironment(), ...variables, READER: reader, FORCE_COLOR: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A guide that waits for what never comes.
    timeout: waitLimit,
  })
  shell.stdin.end(script)
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  expect(errors).toBe('')
  return output.split(`${separator}\n`).slice(1)
}

/** Matches a line of output. */
function pattern(line: string): RegExp {
  const parts = line.split('…').map(part => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

it.each(['fonts.md', 'drafts-and-previews.md', 'versions-and-languages.md', 'redirects.md'])(
  'Whoever follows %s sees what it says',
  async guide => {
    const steps = stepsIn(guide)
    expect(steps.length).toBeGreaterThan(3)
    const outputs = await run(steps)
    for (const [at, { commands, output }] of steps.entries()) {
      const lines = (outputs[at] ?? '').split('\n').map(line => line.trim())
      if (output === undefined) continue
      const expected = output.trim().split('\n')
      expect({ commands, lines: lines.slice(0, expected.length) }).toEqual({
        commands,
        lines: expected.map(line => expect.stringMatching(pattern(line))),
      })
    }
  },
)
