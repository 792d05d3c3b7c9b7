/** The additions of a preview to a page. */
export interface PreviewParts {
  /** The policy of the page. */
  policy: string
  /** The script of previews. */
  src: string
  /** Why the folder cannot be read at the moment; the page is of an earlier state then. */
  fault?: string | undefined
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The look of a fault, also where the script of previews shows it. */
const faultStyle =
  'position:fixed;inset:auto 0 0 0;z-index:9999;margin:0;padding:1rem;background:#7f1d1d;color:#fff;white-space:pre-wrap'

/**
 * Adds a fault to a page, and a script under the nonce of its policy. A page whose policy allows no script gets none, and what is no page
 * stays as it is.
 */
export function injectPreview(html: string, { policy, src, fault }: PreviewParts): string {
  const [, nonce] = /script-src[^;]*'nonce-([\w+/=-]+)'/.exec(policy) ?? []
  const at = html.lastIndexOf('</body>')
  if (at < 0) return html
  const script = nonce === undefined ? '' : `<script type="module" nonce="${nonce}" src="${src}"></script>`
  return `${html.slice(0, at)}${fault === undefined ? '' : faultBox(fault)}${script}${html.slice(at)}`
}

function faultBox(fault: string): string {
  const text = fault.replace(/[&<>]/g, character => entities[character] ?? '')
  return `<pre data-recto-fault role="alert" style="${faultStyle}">${text}</pre>`
}
