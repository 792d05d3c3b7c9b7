/** Direction marks, which can change how a message reads. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g
/** Escape sequences that terminals interpret, such as colours. */
const sequences = /\p{Cc}\[[\d;?]*[A-Za-z]/gu

/** Converts a message of a server to plain text: lines, without escape sequences and control characters. */
export function plainText(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(directions, '')
    .trim()
}

/** Masks the credentials of the operation in a message, since a server may repeat them. */
export function withoutSecrets(
  text: string,
  credentials: { username: string; password: string; query?: string | undefined } | undefined,
): string {
  if (!credentials) return text
  const { username, password, query = '' } = credentials
  const pair = Buffer.from(`${username}:${password}`).toString('base64')
  // A token may be the user name.
  const own = [pair, password, ...(password === '' ? [username] : []), ...new URLSearchParams(query).values(), query]
  const secrets = own.flatMap(secret => [secret, encodeURIComponent(secret)]).filter(secret => secret.length >= 4)
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
