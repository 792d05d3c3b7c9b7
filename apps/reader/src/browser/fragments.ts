/** The element that the fragment of a URL names; none for one that cannot be decoded. */
export function namedBy(hash: string): HTMLElement | null {
  try {
    return hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}
