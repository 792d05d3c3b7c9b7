import { decodeNamedCharacterReference } from 'decode-named-character-reference'

/** The name and the attributes of a tag, with the values as they were written. */
export interface TagParts {
  name: string
  attributes: Record<string, string>
  /** Where quoted values stand in the source. */
  places: Record<string, { start: number; end: number }>
}

const space = /\s/
const nameCharacter = /[^\s"'=<>]/
const escape = /\\([!-/:-@[-`{-~])/g

/** Removes the backslashes that escape punctuation in Markdown. */
export function decodeEscapes(text: string): string {
  return text.includes('\\') ? text.replace(escape, '$1') : text
}

/** Replaces HTML character references (`&amp;`, `&#38;`) by their characters; a target as it was written becomes a URL. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z\d]{1,32}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[]
    if (name) return decodeNamedCharacterReference(name) || whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}

/** Writes a URL so that `decodeEntities` reads it: an ampersand is replaced where it would start a character reference. */
export function encodeEntities(text: string): string {
  return decodeEntities(text) === text ? text : text.replaceAll('&', '&amp;')
}

/** Reads `name a="1" b='2' c=3 d`, the inside of a tag; the last of two attributes of one name counts. */
export function readTagParts(source: string): TagParts {
  let at = 0
  const take = (pattern: RegExp) => {
    const start = at
    while (at < source.length && pattern.test(source.charAt(at))) at += 1
    return source.slice(start, at)
  }
  take(space)
  const name = take(nameCharacter)
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>
  const places: TagParts['places'] = Object.create(null) as TagParts['places']
  while (at < source.length) {
    take(space)
    const key = take(nameCharacter)
    if (key === '') at += 1
    else attributes[key] = readValue(key)
  }
  return { name, attributes, places }

  function readValue(key: string): string {
    delete places[key]
    const end = at
    take(space)
    if (source.charAt(at) !== '=') {
      at = end
      return ''
    }
    at += 1
    take(space)
    const quote = source.charAt(at)
    if (quote !== '"' && quote !== "'") return take(/\S/)
    const start = at + 1
    at = start
    while (at < source.length && source.charAt(at) !== quote) at += source.charAt(at) === '\\' ? 2 : 1
    const value = source.slice(start, at)
    places[key] = { start, end: start + value.length }
    at += 1
    return value
  }
}
