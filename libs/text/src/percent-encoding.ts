/** Decodes percent-encoded UTF-8 (RFC 3986, section 2.1); undefined when it is malformed, where `decodeURIComponent` throws. */
export function decodeUriComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
