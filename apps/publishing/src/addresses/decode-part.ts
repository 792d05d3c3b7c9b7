import { decodeUriComponent } from '@recto/text'
/** A part of a path as text. One that is no UTF-8, or has NUL, which no path of ours has, stays as it is. */
export function decodePart(part: string): string {
  const decoded = decodeUriComponent(part)
  return decoded === undefined || decoded.includes('\0') ? part : decoded
}

/** A part of a path in a URL, with all but unreserved characters encoded (RFC 3986). */
export function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
