/** `URL.parse`, which the library calls, and which early versions of Node 20 lack. */
export function supplyUrlParse(): void {
  if ('parse' in URL) return
  const parse = (url: string, base?: string) => (URL.canParse(url, base) ? new URL(url, base) : null)
  Object.assign(URL as object, { parse })
}
