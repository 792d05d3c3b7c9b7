import type * as pdfjsTypes from 'pdfjs-dist'

/** A sheet of a PDF as it is read. */
export interface ReadSheet {
  /** Its text, with a line feed after each line. */
  text: string
  /** Its texts with their left and right ends, in points. */
  places: { text: string; left: number; right: number }[]
  /** Its number as readers show it. */
  label: string
  width: number
  height: number
  /** URLs that links lead to, and the sheets and labels of those within the document. */
  links: { url?: string; sheet?: number }[]
  /** Pictures on it. */
  pictures: number
}

/** An entry of the outline, with the sheet that it leads to, from 1. */
export interface ReadOutline {
  title: string
  sheet: number
  items: ReadOutline[]
}

/** A PDF as a reader sees it. */
export interface ReadPdf {
  title: string
  sheets: ReadSheet[]
  outline: ReadOutline[]
  /** Names of its embedded fonts. */
  fonts: string[]
}

type Pdfjs = typeof pdfjsTypes
type Document = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>
type Page = Awaited<ReturnType<Document['getPage']>>

/** Reads a PDF with a parser that has nothing to do with what made it. Throws when it is broken. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdfjs: Pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs' as string)
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    useSystemFonts: false,
    stopAtErrors: true,
  })
  const document = await task.promise
  try {
    const labels = await document.getPageLabels()
    const sheets: ReadSheet[] = []
    const fonts = new Set<string>()
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      sheets.push({ ...(await readSheet(page, { document, pdfjs, fonts })), label: labels?.[number - 1] ?? '' })
      page.cleanup()
    }
    const { info } = await document.getMetadata()
    const outline = await readOutline((await document.getOutline()) ?? [], document)
    return { title: String((info as { Title?: string }).Title ?? ''), sheets, outline, fonts: [...fonts] }
  } finally {
    await task.destroy()
  }
}

async function readSheet(
  page: Page,
  { document, pdfjs, fonts }: { document: Document; pdfjs: Pdfjs; fonts: Set<string> },
): Promise<Omit<ReadSheet, 'label'>> {
  const { items } = await page.getTextContent()
  const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  const places = items.flatMap(item => {
    if (!('str' in item) || item.str.trim() === '') return []
    const left = Number(item.transform[4])
    return [{ text: item.str, left, right: left + item.width }]
  })
  const annotations = (await page.getAnnotations()) as { url?: string; dest?: unknown }[]
  const links = await Promise.all(
    annotations.map(async ({ url, dest }) => (url ? { url } : { sheet: await sheetOf(dest, document) })),
  )
  const { fnArray } = await page.getOperatorList()
  for (const item of items) {
    if (!('fontName' in item) || fonts.has(item.fontName)) continue
    const { name } = page.commonObjs.has(item.fontName)
      ? (page.commonObjs.get(item.fontName) as { name: string })
      : { name: '' }
    fonts.add(name)
  }
  const pictures = fnArray.filter(fn => fn === pdfjs.OPS.paintImageXObject).length
  const [, , width = 0, height = 0] = page.view
  return { text, places, width, height, links, pictures }
}

async function sheetOf(destination: unknown, document: Document): Promise<number> {
  const place = typeof destination === 'string' ? await document.getDestination(destination) : destination
  return Array.isArray(place) ? (await document.getPageIndex(place[0])) + 1 : 0
}

type Entries = Awaited<ReturnType<Document['getOutline']>>

async function readOutline(entries: Entries, document: Document): Promise<ReadOutline[]> {
  const read: ReadOutline[] = []
  for (const { title, dest, items } of entries ?? [])
    read.push({ title, sheet: await sheetOf(dest, document), items: await readOutline(items, document) })
  return read
}
