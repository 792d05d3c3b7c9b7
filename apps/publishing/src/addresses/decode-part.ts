import { decodeUriComponent } from '@recto/text'

/** Percent-decodes a segment of a path. Invalid UTF-8 or a NUL leaves it unchanged. */
export function decodePart(part: string): string {
  const decoded = decodeUriComponent(part)
  return decoded === undefined || decoded.includes('\0') ? part : decoded
}

/** A part of a path in a URL, with all but unreserved characters encoded (RFC 3986). */
export function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
