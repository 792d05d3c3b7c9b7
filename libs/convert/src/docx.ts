import mammoth from 'mammoth'
import { type ConvertedHtml, htmlToMarkdown } from './html.ts'
import { archiveUrl } from './links.ts'

/** A Word document as Markdown. */
export interface ConvertedDocx extends ConvertedHtml {
  /** Messages about parts that could not be converted. */
  messages: string[]
}

const maxMessages = 20

/** Converts a Word document; its headings, lists, tables and images are kept. Throws when it is none. */
export async function docxToMarkdown({ bytes, file }: { bytes: Uint8Array; file: string }): Promise<ConvertedDocx> {
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    { styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"] },
  )
  const converted = htmlToMarkdown({ html: value, base: archiveUrl(file), file, targets: {} })
  return { ...converted, messages: [...new Set(messages.map(({ message }) => message))].slice(0, maxMessages) }
}
