import escapeHtml from 'escape-html'
import { faultStyle } from '../browser/fault-style.ts'

/** The additions of a preview to a page. */
export interface PreviewParts {
  /** The policy of the page. */
  policy: string
  /** The script of previews. */
  src: string
  /** Why the folder cannot be read at the moment; the page is of an earlier state then. */
  fault?: string | undefined
}

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
  return `<pre data-recto-fault role="alert" style="${faultStyle}">${escapeHtml(fault)}</pre>`
}
