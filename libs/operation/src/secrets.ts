/**
 * A secret, and those before it that are accepted while it is rotated: the current one signs and encrypts, all of them verify and
 * decrypt.
 */
export type Secrets = readonly [current: string, ...former: string[]]

/** Reads secrets from a setting: the current one first, those before it behind commas. */
export function parseSecrets(text: string): Secrets {
  const [current = '', ...former] = text.split(',').map(part => part.trim())
  return [current, ...former]
}

/** Secrets for one purpose, so that what is signed for it is valid nowhere else. */
export function secretsFor(secrets: Secrets, purpose: string): Secrets {
  const [current, ...former] = secrets
  return [`${current}:${purpose}`, ...former.map(secret => `${secret}:${purpose}`)]
}

/** Opens something with the secret that made it; throws what the current secret throws when none did. */
export function openWith<Result>(secrets: Secrets, open: (secret: string) => Result): Result {
  const faults: unknown[] = []
  for (const secret of secrets) {
    try {
      return open(secret)
    } catch (error) {
      faults.push(error)
    }
  }
  throw faults[0]
}
