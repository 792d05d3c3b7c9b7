import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'
import { lookup } from 'mime-types'

/** Bytes from the start of a file that tell its type and the size of an image. */
export const sniffedBytes = 256 * 1024

const unknown = 'application/octet-stream'
/** Types of text that only a name can tell. */
const namedText =
  /^(?:text\/(?!html|javascript)[\w.+-]+|application\/(?:json|yaml|toml|xml|x-sh|sql|x-yaml|ld\+json|manifest\+json))$/
/** Containers whose content only a name can tell. */
const container = /^application\/(?:zip|x-cfb|gzip)$/

/** The media type of a file by its first bytes. The name decides only between types that look alike, such as kinds of plain text. */
export async function detectContentType(head: Uint8Array, name: string): Promise<string> {
  const typeByName = lookup(name) || unknown
  const text = textOf(head)
  if (text !== undefined) {
    if (isSvg(text)) return 'image/svg+xml'
    if (/^\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body|script)[\s>]/i.test(text))
      return 'text/html'
    return namedText.test(typeByName) ? typeByName : 'text/plain'
  }
  const typeByContent = (await fileTypeFromBuffer(head))?.mime
  if (typeByContent === undefined) return unknown
  return container.test(typeByContent) && typeByName.startsWith('application/') && typeByName !== unknown
    ? typeByName
    : typeByContent
}

/** Width and height of an image in pixels; undefined for what is no image or does not say. */
export function dimensionsOf(head: Uint8Array, contentType: string): { width: number; height: number } | undefined {
  if (!contentType.startsWith('image/')) return undefined
  try {
    const { width, height } = imageSize(head)
    return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : undefined
  } catch {
    return undefined
  }
}

/** The bytes as text, if they are text: UTF-8 without control characters. The last character may be cut. */
function textOf(head: Uint8Array): string | undefined {
  const sample = head.subarray(0, 8192)
  const text = new TextDecoder().decode(sample)
  const faulty = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0
  const isCut = sample.length === 8192 || head.length === sniffedBytes
  return faulty <= (isCut && text.endsWith('\ufffd') ? 1 : 0) ? text : undefined
}

function isSvg(text: string): boolean {
  const prologue =
    /^\s*(?:<\?xml[^>]{0,500}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*|<!doctype\s+svg[^>]{0,1000}>\s*)*<svg[\s>]/i
  return prologue.test(text)
}

/** The text of a page: by its byte order mark, the charset of its media type or of its `meta` element, else UTF-8. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const label =
    bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'utf-16be'
      : bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : (charsetIn(contentType) ?? charsetIn(Buffer.from(bytes.subarray(0, 1024)).toString('latin1')))
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w-]{1,40})/i.exec(text)?.[1]
}
