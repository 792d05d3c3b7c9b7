import { UsageFailure } from '../terminal/command.ts'

/** Characters of a token. */
const maxTokenLength = 4_096

/** Where a secret is typed: the standard input of the process. */
export interface SecretInput extends AsyncIterable<Buffer | string> {
  isTTY?: boolean | undefined
  setRawMode?(isRaw: boolean): unknown
}

/** Asks for a line, and reads it without showing it. Throws `UsageFailure` where nobody can type, and for an interrupt. */
export async function typeSecret(input: SecretInput, ask: () => void): Promise<string> {
  if (input.isTTY !== true || !input.setRawMode)
    throw new UsageFailure('There is no terminal: give the token with --token-stdin')
  ask()
  input.setRawMode(true)
  try {
    return await readKeys(input)
  } finally {
    input.setRawMode(false)
  }
}

/** Reads a secret from an input to its end. */
export async function pipedSecret(input: SecretInput): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > maxTokenLength) throw new UsageFailure('The token is too long')
  }
  return text.trim()
}

async function readKeys(input: SecretInput): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    for (const key of chunk.toString()) {
      if (key === '\u0003') throw new UsageFailure('Nothing was changed')
      if (key === '\r' || key === '\n' || key === '\u0004') return text.trim()
      if (key === '\u007f' || key === '\b') text = text.slice(0, -1)
      else text += key
    }
    if (text.length > maxTokenLength) throw new UsageFailure('The token is too long')
  }
  return text.trim()
}
