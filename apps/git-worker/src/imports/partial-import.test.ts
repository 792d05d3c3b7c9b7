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
  const workerSetup = await aSetup(options)
  setups.push(workerSetup)
  return workerSetup
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
  'docs/.gitbook/tags.yaml': '- tag: a\n',
}

async function packBytes({ folder, clones }: Setup): Promise<number> {
  const [clone = ''] = await clones()
  const packs = join(folder, 'cache', clone, 'objects/pack')
  const names = (await readdir(packs)).filter(name => name.endsWith('.pack'))
  const sizes = await Promise.all(names.map(name => stat(join(packs, name)).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The content of an import without the bundles: documents are bundled as they arrive. */
function contentOf({ commit, manifest: { bundles: _bundles, ...content } }: Awaited<ReturnType<Setup['run']>>) {
  return { commit, content }
}

const posts = ({ server }: Setup) => server.requests.filter(({ method }) => method === 'POST').length

describe('Partial imports', () => {
  it('A partial import gives the same content as a whole clone, and fetches only what the manual needs', async () => {
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

  it('A partial import requests refs, trees and the manual, and corrects a wrong guess', async () => {
    const requestMethods = async (files: Record<string, string | Buffer>) => {
      const workerSetup = await setup({ change: { files: files }, filters: true })
      await workerSetup.run({ projectDirectory: 'docs' })
      return workerSetup.server.requests.map(({ method }) => method)
    }
    const pages = { 'docs/SUMMARY.md': '* [Start](README.md)\n', 'docs/README.md': '# Start\n', 'src/main.bin': large }
    expect(await requestMethods(pages)).toEqual(['GET', 'POST', 'POST'])
    expect(await requestMethods({ ...pages, 'docs/.gitbook/assets/a.svg': '<svg/>' })).toHaveLength(4)
    expect(
      await requestMethods({ ...pages, 'docs/.gitbook.yaml': 'root: ../src\n', 'src/README.md': '# Source\n' }),
    ).toHaveLength(4)
  })

  it('A partial import whose guess is too large fetches what the manual needs', async () => {
    const more = {
      'docs/.gitbook.yaml': 'root: manual\n',
      'docs/manual/README.md': '# Start\n',
      'docs/large.md': large,
    }
    const workerSetup = await setup({ change: { files: more }, filters: true })
    const { manifest } = await workerSetup.run({ projectDirectory: 'docs' }, { maxPack: 200_000 })
    expect(manifest.pages).toHaveLength(1)
    expect(await packBytes(workerSetup)).toBeLessThan(10_000)
  })

  it('A partial import of the same commit fetches nothing, and of the next commit only its changes', async () => {
    const workerSetup = await setup({ change: { files }, filters: true })
    await workerSetup.run({ projectDirectory: 'docs' })
    const before = posts(workerSetup)
    await workerSetup.run({ projectDirectory: 'docs' })
    expect(posts(workerSetup)).toBe(before)
    await workerSetup.repository.addCommit({ 'docs/setup.md': '# Set up\n', 'src/main.bin': randomBytes(400_000) })
    const { manifest } = await workerSetup.run({ projectDirectory: 'docs' })
    const [start] = manifest.pages as { pages?: { document?: string }[] }[]
    expect(workerSetup.text(start?.pages?.[0]?.document)).toBe('# Set up\n')
    expect(await packBytes(workerSetup)).toBeLessThan(12_000)
    expect(posts(workerSetup)).toBe(before + 2)
  })

  it('A partial import follows a force-pushed branch, and another folder of the repository', async () => {
    const workerSetup = await setup({ change: { files }, filters: true })
    const next = await workerSetup.repository.addCommit({ 'docs/README.md': '# Two' })
    expect((await workerSetup.run({ projectDirectory: 'docs' })).commit.oid).toBe(next)
    execFileSync('git', [
      '-C',
      workerSetup.repository.path,
      'update-ref',
      'refs/heads/main',
      workerSetup.repository.commit,
    ])
    expect((await workerSetup.run({ projectDirectory: 'docs' })).commit.oid).toBe(workerSetup.repository.commit)
    const { manifest } = await workerSetup.run()
    expect(manifest.configuration.root).toBe('')
  })

  it('A partial import clones again when the server stops sending partial clones, and when it resumes', async () => {
    const workerSetup = await setup({ change: { files }, filters: true })
    const first = await workerSetup.run({ projectDirectory: 'docs' })
    workerSetup.server.setFilters(false)
    await workerSetup.repository.addCommit({ 'docs/README.md': '# Two' })
    await workerSetup.run({ projectDirectory: 'docs' })
    expect(await packBytes(workerSetup)).toBeGreaterThan(600_000)
    workerSetup.server.setFilters(true)
    execFileSync('git', [
      '-C',
      workerSetup.repository.path,
      'update-ref',
      'refs/heads/main',
      workerSetup.repository.commit,
    ])
    expect(contentOf(await workerSetup.run({ projectDirectory: 'docs' }))).toEqual(contentOf(first))
    expect(await packBytes(workerSetup)).toBeLessThan(10_000)
  })

  it('A partial import counts the fetched bytes, and names a file that is too large', async () => {
    const limits = { maxPack: 100_000 }
    const workerSetup = await setup({ change: { files }, filters: true })
    await workerSetup.run({ projectDirectory: 'docs' }, limits)
    const small = await setup({ path: workerSetup.repository.path, filters: true })
    await expect(small.run({}, { maxPack: 300 })).rejects.toMatchObject({ code: 'too_large' })
    const big = { ...files, 'docs/.gitbook/assets/big.png': large }
    const other = await setup({ change: { files: big }, filters: true })
    await expect(other.run({ projectDirectory: 'docs' }, { maxFile: 100_000 })).rejects.toMatchObject({
      code: 'too_large',
      path: 'docs/.gitbook/assets/big.png',
    })
  })

  it('A partial import that breaks off leaves a clone that the next import completes', async () => {
    const workerSetup = await setup({ change: { files }, filters: true })
    workerSetup.server.cutPacks(200)
    await expect(workerSetup.run({ projectDirectory: 'docs' })).rejects.toThrow()
    workerSetup.server.resume()
    expect((await workerSetup.run({ projectDirectory: 'docs' })).commit.oid).toBe(workerSetup.repository.commit)
  })
})
