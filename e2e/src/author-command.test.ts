import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, sharedBundle } from '@recto/testing'
import type { Browser } from 'puppeteer-core'
import { commandFile, manual, recto, rectoIn, startPreview, writeManual } from './author-command.ts'
import { inBrowser, openManual, type ManualInBrowser } from './author-browser.ts'
import { openPage } from './browser.ts'

const fluentd = sharedBundle('fluentd-docs.bundle')
if (fluentd === undefined) console.warn('The manual of Fluentd is absent: it was not checked')

let manualInBrowser: ManualInBrowser
let folder: string
beforeAll(async () => {
  manualInBrowser = await openManual()
  folder = manualInBrowser.folder
})
afterAll(() => manualInBrowser.close())

describe('recto check', () => {
  it('A folder without faults ends with 0', async () => {
    const { code, stdout } = await recto('check', folder)
    expect([code, stdout]).toEqual([0, '0 errors, 0 warnings\n'])
  })

  it('Findings of error level end with 1, in every form', async () => {
    const { folder: faulty, remove: removeFaulty } = writeManual({ 'README.md': '# A\n\n[b](b.md)\n' })
    try {
      const json = await recto('check', faulty, '--json')
      expect(json.code).toBe(1)
      expect(JSON.parse(json.stdout)).toMatchObject({
        errors: 1,
        findings: [{ rule: 'link', file: 'README.md', line: 3 }],
      })
      expect((await recto('check', faulty, '--format', 'github')).stdout).toBe(
        '::error file=README.md,line=3,title=link::b.md leads nowhere\n',
      )
      expect(JSON.parse((await recto('check', faulty, '--format', 'sarif')).stdout)).toMatchObject({ version: '2.1.0' })
    } finally {
      removeFaulty()
    }
  })

  it.each(['text', 'json', 'sarif', 'github', 'gitlab'])(
    'The paths of findings are those from the working folder, and fingerprints those of the folder, in %s',
    async format => {
      const { folder: faulty, remove: removeFaulty } = writeManual({ 'docs/README.md': '# A\n\n[b](b.md)\n' })
      try {
        const above = await rectoIn(faulty, 'check', 'docs', '--format', format)
        const inside = await rectoIn(join(faulty, 'docs'), 'check', '.', '--format', format)
        expect(above.stdout).toContain('docs/README.md')
        expect(above).toEqual({ ...inside, stdout: inside.stdout.replace('README.md', 'docs/README.md') })
      } finally {
        removeFaulty()
      }
    },
  )

  it('A link into a folder that no space has says so', async () => {
    const { folder: faulty, remove: removeFaulty } = writeManual({
      'recto.yaml': 'spaces:\n  - path: one\n',
      'one/README.md': '# A\n\n[b](../old/b.md)\n',
      'old/b.md': '# B\n',
    })
    try {
      expect((await recto('check', faulty)).stdout).toContain('no space of recto.yaml has the folder old (link)\n')
    } finally {
      removeFaulty()
    }
  })

  it('A second check says the same from what the first one parsed, and sees what has changed', async () => {
    const { folder: faulty, remove: removeFaulty } = writeManual({ 'README.md': '# A\n\n[b](b.md)\n' })
    try {
      const first = await recto('check', faulty)
      expect(first.code).toBe(1)
      expect(await recto('check', faulty)).toEqual(first)
      expect(await recto('check', faulty, '--no-cache')).toEqual(first)
      writeFileSync(join(faulty, 'README.md'), '# A\n')
      expect(await recto('check', faulty)).toMatchObject({ code: 0 })
    } finally {
      removeFaulty()
    }
  })

  it('What cannot be read, and what is no command, ends with 2', async () => {
    expect(await recto('check', join(folder, 'none'))).toMatchObject({ code: 2, stdout: '' })
    expect(await recto('nothing')).toMatchObject({ code: 2, stdout: '' })
  })

  it.each([
    [['--public-url', 'nonsense'], '--public-url is an address'],
    [['--max-image', '-1'], '--max-image is a number of megabytes'],
    [['--max-image', 'x'], '--max-image is a number of megabytes'],
  ])('%j is refused in words that name the option', async (args, message) =>
    expect(await recto('check', folder, ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(`^recto: ${message}`),
    }),
  )

  it('The command runs by its name in a clone', () =>
    expect(
      execFileSync('npx', ['recto', 'version'], { encoding: 'utf8', cwd: resolve(import.meta.dirname, '../..') }),
    ).toMatch(/^\d/))
  ;(fluentd === undefined ? it.skip : it)('The manual of Fluentd has its known faults and no others', async () => {
    const clone = mkdtempSync(join(tmpdir(), 'recto-fluentd-'))
    try {
      execFileSync('git', ['clone', '--quiet', fluentd ?? '', clone])
      const { code, stdout } = await recto('check', clone, '--json')
      const { errors, findings } = JSON.parse(stdout) as { errors: number; findings: { rule: string; file: string }[] }
      expect([code, errors]).toEqual([1, 2])
      expect(new Set(findings.map(({ rule }) => rule))).toEqual(
        new Set(['configuration', 'link', 'anchor', 'unlisted-page']),
      )
    } finally {
      rmSync(clone, { recursive: true })
    }
  })
})

const hasFull = existsSync('/dev/full')
const full = hasFull ? it : it.skip
if (!hasFull) console.warn('There is no /dev/full: an output without space was not tried')

describe('The output of a command', () => {
  const run = (script: string) =>
    spawnSync('sh', ['-c', script, 'sh', process.execPath, commandFile, folder], { encoding: 'utf8' })

  full.each(['help', 'check "$3"', 'check "$3" --json'])('without space for it ends %s in one line, with 2', args => {
    const { status, stderr } = run(`"$1" "$2" ${args} > /dev/full`)
    expect([status, stderr]).toEqual([2, 'recto: The output cannot be written: there is no space left\n'])
  })

  it.each(['help', 'check "$3" --format sarif'])('that is closed early leaves %s silent', args => {
    const { status, stderr } = run(`{ "$1" "$2" ${args}; echo "code $?" >&2; } | true`)
    expect([status, stderr]).toEqual([0, 'code 0\n'])
  })
})

describe('A folder that cannot be shown', () => {
  it('whose space is missing is refused by every command, which names the entry', async () => {
    const { folder: faulty, remove: removeFaulty } = writeManual({ 'recto.yaml': 'spaces:\n  - path: nope\n' })
    try {
      const stderr = expect.stringContaining('recto.yaml, line 2, spaces.0.path: there is no folder nope with files\n')
      for (const args of [['check'], ['preview', '--port', '0'], ['export', join(faulty, 'out')]])
        expect(await recto(args[0] ?? '', faulty, ...args.slice(1))).toMatchObject({ code: 2, stdout: '', stderr })
    } finally {
      removeFaulty()
    }
  })

  it('A port that is in use is named with its option', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      expect(await recto('preview', folder, '--port', String(port))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`recto: --port ${port} is in use`),
      })
    } finally {
      other.close()
    }
  })

  it('that is removed while it is shown, and comes back, is named', async () => {
    const { folder: own, remove: removeOwn } = writeManual()
    const preview = await startPreview(own)
    try {
      renameSync(own, `${own}-away`)
      await eventually(() => expect(preview.stderr()).toContain(`recto: There is no folder ${own}\n`))
      renameSync(`${own}-away`, own)
    } finally {
      expect(await preview.stop()).toBe(0)
      removeOwn()
    }
  })

  it('No message of an export names the address of its reader', async () => {
    const { folder: empty, remove: removeEmpty } = writeManual({ 'a.txt': 'no page' })
    try {
      const { code, stderr } = await recto('export', empty, join(empty, 'out'))
      expect([code, stderr]).toEqual([2, 'recto: The page / answers 404\n'])
      expect(existsSync(join(empty, 'out'))).toBe(false)
    } finally {
      removeEmpty()
    }
  })
})

describe('recto preview', () => {
  it('shows the folder as its readers see it, and follows what changes', async () => {
    const { folder: own, remove: removeOwn } = writeManual()
    const preview = await startPreview(own)
    try {
      const { url = '' } = preview
      expect([url, preview.stderr()]).toEqual([expect.stringContaining('http://127.0.0.1:'), ''])
      const read = async (path: string) => (await fetch(`${url}${path}`)).text()
      const home = await read('')
      expect(home).toContain('live.js')
      expect(home).not.toContain('<script>alert(1)</script>')
      expect(home).not.toContain('Secret')
      expect(await read('guide/set-up')).toContain('brass needle')
      expect(await read('two')).toContain('Other text.')
      expect((await fetch(`${url}old/setup?a=b`, { redirect: 'manual' })).headers.get('location')).toBe(
        '/guide/set-up?a=b',
      )
      expect(await read('older')).toContain('A note.')
      expect(await read('two/old%20page.html')).toContain('Other text.')
      expect((await fetch(`${url}secret`)).status).toBe(404)
      const refused = await fetch(url, { headers: { host: 'attacker.example' } }).catch(() => undefined)
      expect(refused === undefined || [200, 403].includes(refused.status)).toBe(true)

      writeFileSync(join(own, 'one/.draft'), manual['one/README.md']?.replace('See the', 'Look at the') ?? '')
      renameSync(join(own, 'one/.draft'), join(own, 'one/README.md'))
      await eventually(async () => expect(await read('')).toContain('Look at the'))
      mkdirSync(join(own, 'one/new'))
      writeFileSync(join(own, 'one/new/page.md'), '# Brand new\n\nFresh text.\n')
      writeFileSync(join(own, 'one/SUMMARY.md'), `${manual['one/SUMMARY.md']}* [Brand new](new/page.md)\n`)
      await eventually(async () => expect(await read('page')).toContain('Fresh text.'))
      writeFileSync(join(own, 'one/.gitbook.yaml'), 'root: [\n')
      await eventually(() => expect(preview.stderr()).toContain('.gitbook.yaml, line'))
      expect(await read('')).toMatch(/<pre data-recto-fault [^>]*>[^<]*\.gitbook\.yaml, line/)
      writeFileSync(join(own, 'one/.gitbook.yaml'), 'root: ./\n')
      await eventually(() => expect(preview.stderr()).toContain('The folder can be read again.\n'))
      expect(await read('')).not.toContain('data-recto-fault')
    } finally {
      expect(await preview.stop()).toBe(0)
      removeOwn()
    }
  })

  inBrowser('An open page shows a change without being loaded by hand', async () => {
    const { folder: own, remove: removeOwn } = writeManual()
    const preview = await startPreview(own)
    const faults: string[] = []
    try {
      const page = await openPage(manualInBrowser.browser as Browser, faults)
      await page.goto(preview.url ?? '')
      writeFileSync(join(own, 'one/README.md'), '# Renamed home\n')
      await page.waitForFunction(
        () =>
          document.querySelector('main')?.textContent?.includes('Home') &&
          !document.body.textContent?.includes('See the'),
      )
      await page.close()
      expect(faults).toEqual([])
    } finally {
      await preview.stop()
      removeOwn()
    }
  })
})
