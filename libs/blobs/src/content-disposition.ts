const inlineImages = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'x-icon', 'vnd.microsoft.icon']
const inlineTypes = new Set(['application/pdf', 'text/plain', ...inlineImages.map(name => `image/${name}`)])
const quotable = /^[\x20-\x7e]+$/

/**
 * The `Content-Disposition` (RFC 6266, names by RFC 8187) of a download. Inline is only what a browser shows without running
 * it: raster images, PDF, audio, video and plain text. SVG, HTML and the rest are attachments.
 */
export function contentDisposition(name: string, contentType: string): string {
  const disposition = isShown(contentType) ? 'inline' : 'attachment'
  if (name === '') return disposition
  const wellFormed = Buffer.from(name).toString()
  const plain = plainName(wellFormed)
  return `${disposition}; filename="${plain}"${plain === wellFormed ? '' : `; filename*=UTF-8''${extendedValue(wellFormed)}`}`
}

function isShown(contentType: string): boolean {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  return inlineTypes.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type)
}

/** For clients that know only `filename`: no characters that they decode, unescape or take for a path. */
function plainName(name: string): string {
  const ascii = [...name].map(character => (quotable.test(character) ? character : '_')).join('')
  return ascii.replace(/["\\/%]/g, '_')
}

/** `attr-char` of RFC 8187 stays, every other byte is percent-encoded. */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
