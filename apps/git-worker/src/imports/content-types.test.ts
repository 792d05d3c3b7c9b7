import { createHash } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { aSetup, knownAfter } from '../test/worker-setup.ts'

const gif = Buffer.from('R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIDhH8FADs=', 'base64')

it('An import takes types and sizes of files from their bytes, and the same for those that content has', async () => {
  const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="12" height="7"/>'
  // A JPEG whose size comes behind 300 kB of comments.
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd)])
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 5, 0, 4, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9])
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 5 }, () => comment), frame])
  const files = {
    'a.gif.txt': gif,
    'b.png': '<!doctype html><script>x()</script>',
    'c.png': svg,
    'd.pdf': createHash('shake256', { outputLength: 300_000 }).update('noise').digest(),
    'e.csv': 'a;b',
    'f.bin': jpeg,
  }
  const at = (name: string) => `.gitbook/assets/${name}`
  const { run, stop } = await aSetup({
    change: {
      files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [at(name), bytes])),
    },
  })
  const { manifest } = await run()
  const seen = manifest.files.map(({ name, contentType, dimensions }) => [name, contentType, dimensions])
  expect(seen.toSorted()).toEqual([
    ['a.gif.txt', 'image/gif', { width: 3, height: 2 }],
    ['b.png', 'text/html', undefined],
    ['c.png', 'image/svg+xml', { width: 12, height: 7 }],
    ['d.pdf', 'application/octet-stream', undefined],
    ['e.csv', 'text/csv', undefined],
    ['f.bin', 'image/jpeg', { width: 4, height: 5 }],
  ])
  const again = await run({ known: knownAfter(manifest) })
  expect(again.manifest.files).toEqual(manifest.files)
  await stop()
})
