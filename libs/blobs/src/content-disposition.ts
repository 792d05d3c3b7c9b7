import { create } from 'content-disposition'

const inlineImages = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'x-icon', 'vnd.microsoft.icon']
const inlineTypes = new Set(['application/pdf', 'text/plain', ...inlineImages.map(name => `image/${name}`)])

/**
 * Builds the `Content-Disposition` header of a download (RFC 6266, names by RFC 8187). Inline is only what a browser shows
 * without running it: raster images, PDF, audio, video and plain text. SVG, HTML and all other types are attachments.
 */
export function contentDisposition(name: string, contentType: string): string {
  const type = isInline(contentType) ? 'inline' : 'attachment'
  if (name === '') return type
  const wellFormed = Buffer.from(name).toString()
  return create(wellFormed, { type, fallback: asciiName(wellFormed) })
}

function isInline(contentType: string): boolean {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  return inlineTypes.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type)
}

/** For clients that read only `filename`: without the characters that they decode, unescape or read as a path. */
function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\/%]/gu, '_')
}
