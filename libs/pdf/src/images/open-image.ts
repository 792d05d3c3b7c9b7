import { gifSize, gifToPng } from './gif.ts'
import { flattenPng, maxDecodedPixels, readPng } from './png.ts'

/** Pixels of a picture that readers of PDFs can be expected to show. */
const maxPixels = 60_000_000

/** Bytes that can be embedded; or why the picture is not shown, as a note of a few words. */
export type OpenedImage = { bytes: Buffer } | { fault: string }

/** Prepares a picture for a PDF, which holds JPEG as it is, and PNG without transparency. Its head decides before anything is decoded. */
export function openImage(file: Uint8Array): OpenedImage {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  try {
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return checkedSize(jpegSize(bytes), () => ({ bytes }))
    if (bytes.toString('latin1', 0, 4) === 'GIF8')
      return checkedSize(gifSize(bytes), () => ({ bytes: gifToPng(bytes).png }), maxDecodedPixels)
    if (bytes[0] !== 0x89) return { fault: `${kindOf(bytes)} cannot be shown in a PDF` }
    const { head } = readPng(bytes)
    const isPlain = !head.hasAlpha && !head.isInterlaced
    const most = isPlain ? maxPixels : maxDecodedPixels
    return checkedSize(head, () => ({ bytes: isPlain ? bytes : flattenPng(bytes) }), most)
  } catch {
    return { fault: 'the picture is broken' }
  }
}

function checkedSize(
  { width, height }: { width: number; height: number },
  open: () => OpenedImage,
  most = maxPixels,
): OpenedImage {
  if (width * height <= most) return open()
  return { fault: `${width} × ${height} pixels are too many` }
}

/** The size in the frame header, which comes after segments of other kinds. */
function jpegSize(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) throw new Error('is broken')
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
      if (size.width === 0 || size.height === 0) throw new Error('is empty')
      return size
    }
    const length = marker === 0xff ? -1 : bytes.readUInt16BE(at + 2)
    if (length === 0 || length === 1) throw new Error('is broken')
    at += 2 + length
  }
  throw new Error('has no frame')
}

function kindOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 64)
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'WebP'
  if (/^\s*(?:<\?xml|<svg|<!--|<!doctype svg)/i.test(start)) return 'SVG'
  return 'this kind of file'
}
