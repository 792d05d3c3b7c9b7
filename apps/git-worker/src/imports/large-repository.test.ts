import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { aLargeRepository } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { defaultLimits } from '@recto/repository-content'
import { aSetup } from '../test/worker-setup.ts'

const others = 20
const megabytes = 100
const pages = 100
const pictures = 20

/** A manual of 5 MB. */
const manual = {
  'docs/SUMMARY.md': Array.from({ length: pages }, (_, at) => `* [Page ${at}](page-${at}.md)\n`).join(''),
  ...Object.fromEntries(
    Array.from({ length: pages }, (_, at) => [
      `docs/page-${at}.md`,
      `# Page ${at}\n\n![](.gitbook/assets/${at % pictures}.png)\n`,
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: pictures }, (_, at) => [`docs/.gitbook/assets/${at}.png`, randomBytes(250_000)]),
  ),
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

it('A manual of 5 MB in a repository of 2 GB is imported within the default limits, by fetching about 5 MB', async () => {
  expect(others * megabytes * 1024 * 1024).toBeGreaterThan(defaultLimits.maxPack * 3)
  const repository = await aLargeRepository({ files: manual, others, megabytes })
  const setup = await aSetup({ path: repository.path, filters: true })
  try {
    const { manifest } = await setup.run({ projectDirectory: 'docs' })
    expect([manifest.pages.length, manifest.files.length, manifest.warnings]).toEqual([pages, pictures, []])
    expect(await bytesBelow(join(setup.folder, 'cache'))).toBeLessThan(6_000_000)
  } finally {
    await setup.stop()
    await repository.remove()
  }
})
