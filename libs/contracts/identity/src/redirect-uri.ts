import { text } from '@recto/contracts-shared'

/** Hosts of redirect URIs that lead to a program on the computer of the person. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Schemes that browsers and operating systems handle themselves: none is that of a program. Those of programs may also be a reversed domain. */
const foreignSchemes = new Set(
  `about acct android-app blob chrome chrome-extension chrome-untrusted cid content data devtools edge facetime feed
  file filesystem ftp ftps gopher hcp imap intent irc jar javascript jdbc ldap ldaps magnet mailto mhtml mid
  moz-extension news nfs nntp opera pop res resource rtsp sftp shell sip sips sms smb ssh tel telnet urn vbscript
  view-source vnc webcal ws wss wyciwyg xmpp`.split(/\s+/),
)
const isForeign = (scheme: string) => foreignSchemes.has(scheme) || /^(?:ms|search|windows)-/.test(scheme)

/**
 * The fault of a redirect URI that a program registers; undefined for a good one: https, http at a loopback address, or a scheme of the
 * program. It is compared as a text later, so it must be one that every reader of URIs understands alike.
 */
export function redirectUriFault(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || /["<>\\^`{|}]/.test(uri))
    return 'must have no spaces and no characters to be escaped'
  if (!URL.canParse(uri)) return 'must be an absolute URI'
  const { protocol, hostname, origin, username, password } = new URL(uri)
  if (uri.includes('#')) return 'must have no fragment'
  if (username !== '' || password !== '') return 'must have no credentials'
  if (protocol !== 'http:' && protocol !== 'https:')
    return isForeign(protocol.slice(0, -1)) ? 'must be an address of a program' : undefined
  const isPlain = loopbackHosts.includes(hostname) || /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?$/.test(hostname)
  if (!isPlain) return 'must have the name of a host'
  if (uri !== origin && !/^[/?]/.test(uri.startsWith(origin) ? uri.slice(origin.length) : ''))
    return `must begin with ${origin}`
  return protocol === 'http:' && !loopbackHosts.includes(hostname)
    ? 'must be https, but for a loopback address'
    : undefined
}

/** The schema of a redirect URI. */
export const RedirectUri = text({ min: 1, max: 2048 }).superRefine((uri, context) => {
  const message = redirectUriFault(uri)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})
