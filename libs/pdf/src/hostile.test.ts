import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { printed } from './test/a-book.ts'
import { aJpegHead, aPng } from './test/pictures.ts'

describe('a picture', () => {
  const bomb = deflateSync(Buffer.alloc(50_000_000), { level: 9 })
  it.each<[string, string, Uint8Array, string]>([
    [
      'that says it has 20,000 pixels a side',
      'a.png',
      aPng({ width: 20_000, height: 20_000, data: bomb }),
      '20000 × 20000 pixels',
    ],
    [
      'with transparency and many pixels',
      'a.png',
      aPng({ width: 5_000, height: 5_000, color: 6, data: bomb }),
      '5000 × 5000 pixels',
    ],
    ['that unpacks to more than it says', 'a.png', aPng({ width: 10, height: 10, color: 6, data: bomb }), 'broken'],
    ['of JPEG with 20,000 pixels a side', 'a.jpg', aJpegHead(20_000, 20_000), '20000 × 20000 pixels'],
    ['that ends too early', 'a.png', aPng({ width: 10, height: 10 }).subarray(0, 50), 'broken'],
    ['without pixels', 'a.png', aPng({ width: 0, height: 10 }), 'broken'],
    [
      'whose JPEG is nothing but zeros',
      'a.jpg',
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1000)]),
      'broken',
    ],
    ['of nothing', 'a.png', new Uint8Array(0), 'cannot be shown'],
    ['of SVG', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG cannot be shown'],
    ['that is larger than pictures may be', 'a.png', Buffer.alloc(2_000_001), 'too large'],
  ])('%s is a note in its place', async (_what, name, bytes, note) => {
    const { pdf, text } = await printed({
      pages: { start: `Before.\n\n![The picture](${name})\n\nAfter.` },
      files: { [name]: bytes },
      limits: { maxImageBytes: 2_000_000 },
    })
    expect(pdf.sheets).toHaveLength(1)
    expect(pdf.sheets[0]?.pictures).toBe(0)
    for (const part of ['Before.', 'The picture', note, 'After.']) expect(text).toContain(part)
  })

  it('beyond what all may have together is a note, and those before it are shown', async () => {
    const files = Object.fromEntries(
      ['a', 'b', 'c'].map(name => [
        `${name}.png`,
        aPng({
          width: 400,
          height: 400,
          data: Buffer.concat([deflateSync(Buffer.alloc(400 * 1201)), Buffer.alloc(1000)]),
        }),
      ]),
    )
    const pages = { start: '![](a.png)\n\n![](b.png)\n\n![](c.png)' }
    const size = files['a.png']?.length ?? 0
    const { pdf, text } = await printed({ pages, files, limits: { maxTotalImageBytes: 2.5 * size } })
    expect(pdf.sheets.reduce((sum, { pictures }) => sum + pictures, 0)).toBe(2)
    expect(text).toContain('too large together')
  })
})

describe('a page', () => {
  it('with a table of 5,000 rows repeats its head, and loses no row', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `| row-${at} | ${'x '.repeat(at % 40)} |`)
    const { pdf, text } = await printed({ pages: { start: ['| Head | Other |', '| - | - |', ...rows].join('\n') } })
    expect(text.match(/row-\d+/g)).toHaveLength(5_000)
    expect(pdf.sheets.length).toBeGreaterThan(80)
    for (const sheet of pdf.sheets) expect(sheet.text.match(/Head/g)).toHaveLength(1)
  })

  it('with a row that is higher than a sheet divides it', async () => {
    const cell = Array.from({ length: 200 }, (_, at) => `line-${at}`).join('<br>')
    const { text } = await printed({ pages: { start: `| A | B |\n| - | - |\n| ${cell} | x |` } })
    expect(text.match(/line-\d+/g)).toHaveLength(200)
  })

  it('that is nested deeply has all its words', async () => {
    const quote = Array.from({ length: 90 }, (_, at) => `${'>'.repeat(at + 1)} deep-${at}\n${'>'.repeat(at + 1)}`).join(
      '\n',
    )
    const list = Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}* item-${at}`).join('\n')
    const { text } = await printed({ pages: { start: `${quote}\n\n${list}` } })
    expect(text.replaceAll(/\s/g, '')).toContain('deep-89')
    expect(text.replaceAll(/\s/g, '')).toContain('item-39')
  })

  it('with a word, a line of code and a formula of any length is set', async () => {
    const word = 'abcdefghij'.repeat(10_000)
    const pages = {
      start: `${word}\n\n\`\`\`js\n${word}\n\`\`\`\n\n$$\n${'x+'.repeat(20_000)}\n$$\n\n$$\\undefined{$$ end`,
    }
    const { text } = await printed({ pages })
    expect(text.replaceAll(/\s/g, '').match(/abcdefghij/g)?.length).toBeGreaterThan(19_000)
    expect(text).toContain('end')
  })

  it('of characters that no font has is set without them, and says which', async () => {
    const { result, text } = await printed({ pages: { start: 'Before \u{1f9ff}\u{12000}\u{13000} after \ud800.' } })
    expect(result.missing.length).toBeGreaterThan(0)
    expect(text).toContain('Before')
    expect(text).toContain('after')
  })
})

it('fonts of the settings that are none are left out, and others are used', async () => {
  const arabic = createRequire(import.meta.url).resolve(
    '@expo-google-fonts/vazirmatn/400Regular/Vazirmatn_400Regular.ttf',
  )
  const { result, text } = await printed({
    pages: { start: 'Text \u{1f9ff} of a book' },
    fonts: ['/no/such/font.ttf', import.meta.filename, arabic],
  })
  expect(text).toContain('of a book')
  expect(result.sheets).toBe(1)
})

it('a book with more sheets than it may have is refused', async () => {
  const pages = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, 'Text.']))
  await expect(printed({ pages, limits: { maxSheets: 10 } })).rejects.toThrow('more than 10 pages')
})
