/** Adds a script to a page under the nonce of its policy; a page whose policy allows none stays as it is. */
export function injectScript(html: string, { policy, src }: { policy: string; src: string }): string {
  const [, nonce] = /script-src[^;]*'nonce-([\w+/=-]+)'/.exec(policy) ?? []
  const at = html.lastIndexOf('</body>')
  if (nonce === undefined || at < 0) return html
  return `${html.slice(0, at)}<script type="module" nonce="${nonce}" src="${src}"></script>${html.slice(at)}`
}
