import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { objectId, writePack, type PackObject } from './write-pack.ts'

async function* listed(objects: readonly PackObject[]): AsyncGenerator<PackObject> {
  yield* objects
}

it('git reads a pack of objects of all sizes, by their ids', async () => {
  const sizes = [0, 1, 15, 16, 2_047, 2_048, 300_000]
  const objects = sizes.map(size => ({ type: 'blob' as const, bytes: Buffer.alloc(size, 'x') }))
  const parts: Buffer[] = []
  const size = await writePack(listed(objects), objects.length, async bytes => parts.push(bytes))
  const pack = Buffer.concat(parts)
  expect(size).toBe(pack.length)
  const folder = mkdtempSync(join(tmpdir(), 'recto-pack-'))
  try {
    const path = join(folder, 'a.pack')
    writeFileSync(path, pack)
    execFileSync('git', ['index-pack', '--strict', path], { cwd: folder, stdio: 'ignore' })
    const output = execFileSync('git', ['verify-pack', '-v', path], { cwd: folder, encoding: 'utf8' })
    expect(Array.from(output.matchAll(/^([0-9a-f]{40}) blob/gm), ([, oid]) => oid).toSorted()).toEqual(
      objects.map(objectId).toSorted(),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
