/** The parts of a policy that differ between answers. */
export interface PolicySources {
  /** The scripts and the inline styles that are the reader's own: by the nonce of the answer, or by hashes and their place. */
  scripts: readonly string[]
  styles: readonly string[]
  isSecure: boolean
}

/**
 * The Content Security Policy (Level 3) of a page. Not every script of the origin runs: files of authors are there, too. Images may be anywhere, as in
 * Markdown; frames may be where embeds are opened after a click. Attributes of style have no nonce: formulas and code set them.
 */
export function contentSecurityPolicy({ scripts, styles, isSecure }: PolicySources): string {
  const directives = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src 'self' ${styles.join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https: http:",
    "media-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    // Diagrams are drawn in frames of the reader, which have no origin.
    "frame-src 'self' https:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "manifest-src 'self'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}

/**
 * The policy of a frame that draws a diagram: it has no origin, runs the script of its nonce and the parts that this one loads, and
 * reaches nothing else. Styles are those that the drawing has.
 */
export function diagramFramePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
}

/** Headers of every answer. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Headers of everything that is no published content: search engines leave it out, and no other site gets its address, which may be a secret. */
export const previewHeaders: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
}

/** The policy of a file of authors: nothing in it runs, whatever it is (SVG can have scripts). */
export const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
