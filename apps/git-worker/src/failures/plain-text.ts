/** Direction marks, which can make a message read as another one. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g
/** What terminals take as commands, such as colours. */
const sequences = /\p{Cc}\[[\d;?]*[A-Za-z]/gu

/** A message of a server as plain text: lines, without terminal sequences and control characters. */
export function plainText(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(directions, '')
    .trim()
}

/** A message without the credentials of its operation, which a server may repeat. */
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
