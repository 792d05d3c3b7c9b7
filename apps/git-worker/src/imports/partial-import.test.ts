import { execFileSync } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { aSetup, type Setup } from '../test/worker-setup.ts'

const setups: Setup[] = []
afterEach(async () => {
  for (const setup of setups.splice(0)) await setup.stop()
})

async function setup(options: Parameters<typeof aSetup>[0]): Promise<Setup> {
  const made = await aSetup(options)
  setups.push(made)
  return made
}

const large = randomBytes(400_000)
/** A manual in a folder of a repository with other, larger files. */
const files = {
  'src/main.bin': large,
  'src/other/data.bin': randomBytes(300_000),
  'README.md': '# Code',
  'docs/.gitbook.yaml': 'structure:\n  summary: CONTENTS.md\n',
  'docs/CONTENTS.md': '# Contents\n\n* [Start](README.md)\n  * [Setup](setup.md)\n',
  'docs/README.md': '# Start\n\n![Picture](../pictures/a.png) ![Logo](.gitbook/assets/logo.svg) [Sheet](sheet.xlsx)\n',
  'docs/setup.md': '# Setup\n\n{% include ".gitbook/includes/notice.md" %}\n',
  'docs/sheet.xlsx': 'a sheet',
  'docs/notes.txt': 'nobody refers to this',
  'docs/.gitbook/assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'docs/.gitbook/includes/notice.md': 'A notice.\n',
  'docs/.gitbook/vars.yaml': 'version: 2\n',
}

async function packBytes({ folder, clones }: Setup): Promise<number> {
  const [clone = ''] = await clones()
  const packs = join(folder, 'cache', clone, 'objects/pack')
  const names = (await readdir(packs)).filter(name => name.endsWith('.pack'))
  const sizes = await Promise.all(names.map(name => stat(join(packs, name)).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** What an import brought, without the bundles: documents are bundled as they arrive. */
function contentOf({ commit, manifest: { bundles: _bundles, ...content } }: Awaited<ReturnType<Setup['run']>>) {
  return { commit, content }
}

const posts = ({ server }: Setup) => server.requests.filter(({ method }) => method === 'POST').length

describe('an import from a server that sends partially', () => {
  it('gives what a whole clone gives, and fetches what the manual needs', async () => {
    const whole = await setup({ change: { files } })
    const partial = await setup({ path: whole.repository.path, filters: true })
    const request = { projectDirectory: 'docs' }
    const expected = await whole.run(request)
    const { commit, manifest } = await partial.run(request)
    expect(contentOf({ commit, manifest })).toEqual(contentOf(expected))
    expect(manifest.files.map(({ git }) => git.path).sort()).toEqual([
      'docs/.gitbook/assets/logo.svg',
      'docs/sheet.xlsx',
    ])
    expect(await packBytes(whole)).toBeGreaterThan(600_000)
    expect(await packBytes(partial)).toBeLessThan(10_000)
  })

  it('asks for refs, for trees and for the manual, and knows what it guessed wrong', async () => {
    const asked = async (given: Record<string, string | Buffer>) => {
      const made = await setup({ change: { files: given }, filters: true })
      await made.run({ projectDirectory: 'docs' })
      return made.server.requests.map(({ method }) => method)
    }
    const pages = { 'docs/SUMMARY.md': '* [Start](README.md)\n', 'docs/README.md': '# Start\n', 'src/main.bin': large }
    expect(await asked(pages)).toEqual(['GET', 'POST', 'POST'])
    expect(await asked({ ...pages, 'docs/.gitbook/assets/a.svg': '<svg/>' })).toHaveLength(4)
    expect(
      await asked({ ...pages, 'docs/.gitbook.yaml': 'root: ../src\n', 'src/README.md': '# Source\n' }),
    ).toHaveLength(4)
  })

  it('whose guess is too large fetches what the manual needs', async () => {
    const more = {
      'docs/.gitbook.yaml': 'root: manual\n',
      'docs/manual/README.md': '# Start\n',
      'docs/large.md': large,
    }
    const made = await setup({ change: { files: more }, filters: true })
    const { manifest } = await made.run({ projectDirectory: 'docs' }, { maxPack: 200_000 })
    expect(manifest.pages).toHaveLength(1)
    expect(await packBytes(made)).toBeLessThan(10_000)
  })

  it('of the same commit fetches nothing, and of the next one what it changed', async () => {
    const made = await setup({ change: { files }, filters: true })
    await made.run({ projectDirectory: 'docs' })
    const before = posts(made)
    await made.run({ projectDirectory: 'docs' })
    expect(posts(made)).toBe(before)
    await made.repository.addCommit({ 'docs/setup.md': '# Set up\n', 'src/main.bin': randomBytes(400_000) })
    const { manifest } = await made.run({ projectDirectory: 'docs' })
    const [start] = manifest.pages as { pages?: { document?: string }[] }[]
    expect(made.text(start?.pages?.[0]?.document)).toBe('# Set up\n')
    expect(await packBytes(made)).toBeLessThan(12_000)
    expect(posts(made)).toBe(before + 2)
  })

  it('follows a force-pushed branch, and another folder of the repository', async () => {
    const made = await setup({ change: { files }, filters: true })
    const next = await made.repository.addCommit({ 'docs/README.md': '# Two' })
    expect((await made.run({ projectDirectory: 'docs' })).commit.oid).toBe(next)
    execFileSync('git', ['-C', made.repository.path, 'update-ref', 'refs/heads/main', made.repository.commit])
    expect((await made.run({ projectDirectory: 'docs' })).commit.oid).toBe(made.repository.commit)
    const { manifest } = await made.run()
    expect(manifest.configuration.root).toBe('')
  })

  it('starts anew when the server does not any more, and when it does again', async () => {
    const made = await setup({ change: { files }, filters: true })
    const first = await made.run({ projectDirectory: 'docs' })
    made.server.setFilters(false)
    await made.repository.addCommit({ 'docs/README.md': '# Two' })
    await made.run({ projectDirectory: 'docs' })
    expect(await packBytes(made)).toBeGreaterThan(600_000)
    made.server.setFilters(true)
    execFileSync('git', ['-C', made.repository.path, 'update-ref', 'refs/heads/main', made.repository.commit])
    expect(contentOf(await made.run({ projectDirectory: 'docs' }))).toEqual(contentOf(first))
    expect(await packBytes(made)).toBeLessThan(10_000)
  })

  it('counts what is fetched, and names a file that is too large', async () => {
    const limits = { maxPack: 100_000 }
    const made = await setup({ change: { files }, filters: true })
    await made.run({ projectDirectory: 'docs' }, limits)
    const small = await setup({ path: made.repository.path, filters: true })
    await expect(small.run({}, { maxPack: 300 })).rejects.toMatchObject({ code: 'too_large' })
    const big = { ...files, 'docs/.gitbook/assets/big.png': large }
    const other = await setup({ change: { files: big }, filters: true })
    await expect(other.run({ projectDirectory: 'docs' }, { maxFile: 100_000 })).rejects.toMatchObject({
      code: 'too_large',
      path: 'docs/.gitbook/assets/big.png',
    })
  })

  it('that breaks off leaves a clone that the next one completes', async () => {
    const made = await setup({ change: { files }, filters: true })
    made.server.cutPacks(200)
    await expect(made.run({ projectDirectory: 'docs' })).rejects.toThrow()
    made.server.resume()
    expect((await made.run({ projectDirectory: 'docs' })).commit.oid).toBe(made.repository.commit)
  })
})
