import { describe, expect, it } from '@jest/globals'
import { printed } from './test/a-book.ts'

const words = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')
const blank = (sheets: { text: string }[]) => sheets.map(({ text }) => text.replaceAll(/\s+/g, ' '))

describe('sheets', () => {
  it('are numbered from the first page, and by small Roman numbers before', async () => {
    const pages = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`page ${at}`, 'Text.']))
    const { pdf } = await printed({ pages, title: 'The title' })
    expect(pdf.title).toBe('The title')
    expect(pdf.sheets.slice(0, 5).map(({ label }) => label)).toEqual(['i', 'ii', 'iii', '1', '2'])
    const footers = pdf.sheets.slice(3).map(({ text }) => text.trim().split('\n').at(-1))
    expect(footers).toEqual(Object.keys(pages).map((_, at) => `The title ${at + 1}`))
    const contents = blank(pdf.sheets.slice(1, 3)).join(' ')
    expect(contents).toContain('page 59 60')
    expect(pdf.sheets[1]?.links[0]).toEqual({ sheet: 4 })
  })

  it('of groups have their title, and contents below it', async () => {
    const { pdf } = await printed({
      pages: { group: '', inside: 'Text.' },
      entries: { group: { title: 'The group', isGroup: true }, inside: { title: 'Inside', depth: 1 } },
    })
    expect(pdf.outline).toMatchObject([{ title: 'The group', items: [{ title: 'Inside' }] }])
    expect(pdf.sheets[2]?.text).toContain('The group')
  })
})

describe('a heading', () => {
  it('never stands at the end of a sheet', async () => {
    const sections = Array.from({ length: 80 }, (_, at) => `## Heading ${at}\n\n${words(7 + ((at * 13) % 90), 'w')}\n`)
    const { pdf } = await printed({ pages: { start: sections.join('\n') } })
    for (const { text } of pdf.sheets) {
      const lines = text
        .trim()
        .split('\n')
        .filter(line => line.trim() !== '')
      // The last line is the footer.
      expect(lines.at(-2)).not.toMatch(/^Heading/)
    }
  })
})

describe('an operation', () => {
  it('names the file of its specification, and leads to it', async () => {
    const tag = '{% openapi src="api.yaml" path="/pets" method="get" %}\n[api.yaml](api.yaml)\n{% endopenapi %}'
    const { text } = await printed({ pages: { start: tag }, files: { 'api.yaml': new Uint8Array() } })
    expect(text).toContain('Specification: api.yaml')
  })
})

describe('code', () => {
  it('wraps without losing a character', async () => {
    const line = `run ${Array.from({ length: 60 }, (_, at) => `--option-${at}=value${at}`).join(' ')}`
    const { text } = await printed({ pages: { start: `\`\`\`bash\n${line}\n    indented\n\`\`\`` } })
    expect(text.replaceAll(/\s/g, '')).toContain(line.replaceAll(' ', ''))
    expect(text).toContain('indented')
  })
})

describe('a word that is wider than its line', () => {
  it('is divided within the margins, whatever its letters are', async () => {
    const { pdf } = await printed({ pages: { a: 'T'.repeat(400) }, entries: { a: { title: 'T'.repeat(200) } } })
    const places = pdf.sheets.flatMap(sheet => sheet.places)
    expect(places.map(({ text }) => text).join('')).toContain('T'.repeat(600))
    const margin = Math.min(...places.map(({ left }) => left))
    for (const { right } of places) expect(right).toBeLessThan((pdf.sheets[0]?.width ?? 0) - margin + 1)
  })
})

describe('links', () => {
  it('to an anchor lead there, and to one that is missing to the begin of its page', async () => {
    const long = `${words(1_500, 'w')}\n\n## The end\n\nEnd.`
    const { pdf } = await printed({
      pages: { a: '[end](b#the-end) and [nowhere](b#nowhere) and [self](#nowhere)', b: long },
    })
    const [end, nowhere, self] = pdf.sheets[2]?.links ?? []
    expect(pdf.sheets[(end?.sheet ?? 0) - 1]?.text).toContain('The end')
    expect(nowhere).toEqual({ sheet: 4 })
    expect(self).toEqual({ sheet: 3 })
  })

  it('of their own block have the title of their page, and words that are more than its file', async () => {
    const block = (label: string) => `{% content-ref url="b" %}\n[${label}](b)\n{% endcontent-ref %}`
    const { pdf } = await printed({ pages: { a: `${block('file-of-b.md')}\n\n${block('Own words')}`, b: 'B.' } })
    const [text] = blank(pdf.sheets.slice(2))
    expect(text).toContain('See b See Own words')
  })

  it('of other schemes are text', async () => {
    const { pdf, text } = await printed({
      pages: { a: '[bad](javascript:alert(1)) [good](mailto:a@b.c) [rel](../x.md)' },
    })
    expect(pdf.sheets[0]?.links).toEqual([{ url: 'mailto:a@b.c' }])
    expect(text).toContain('bad')
  })
})

describe('texts that run from right to left', () => {
  it('have the marks of their items at their right, and cells where their column says', async () => {
    const { pdf } = await printed({
      pages: { a: '1. אחד\n2. two\n\n| a | שם |\n| - | -: |\n| שלום | ערך |\n| b | 42 |' },
    })
    const places = pdf.sheets[0]?.places ?? []
    const placeOf = (text: string) => {
      const place = places.find(one => one.text === text || one.text === Array.from(text).toReversed().join(''))
      if (!place) throw new Error(`${text} is not among ${places.map(one => one.text).join(', ')}`)
      return place
    }
    expect(placeOf('.1').left).toBeGreaterThan(placeOf('אחד').right)
    expect(placeOf('2.').right).toBeLessThan(placeOf('two').left)
    expect(placeOf('ערך').right).toBeCloseTo(placeOf('42').right, 0)
    expect(placeOf('שם').right).toBeCloseTo(placeOf('42').right, 0)
    expect(placeOf('שלום').left).toBeGreaterThan(placeOf('b').right)
  })
})
