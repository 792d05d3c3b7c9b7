import { Failure, parseSecrets } from '@recto/operation'
import { newSecret, type Secrets } from './secrets.ts'

const rotatable = { 'signing-secret': 'signingSecret', 'encryption-key': 'encryptionKey' } as const

/** The secrets to rotate, and whether the one before ends now. */
export interface Rotation {
  name: keyof typeof rotatable
  finish: boolean
}

/** Reads the arguments `<secret> [--finish]`; throws `invalid_request`. */
export function parseRotation([name = '', option]: string[]): Rotation {
  const isKnown = (text: string): text is Rotation['name'] => Object.hasOwn(rotatable, text)
  if (isKnown(name) && (option === undefined || option === '--finish')) return { name, finish: option !== undefined }
  throw new Failure('invalid_request', `rotate must have the argument ${Object.keys(rotatable).join(' or ')}.`)
}

/**
 * The secrets with a new one before the current, which is still accepted, and after `--finish` without those before the current. Throws
 * `conflict` when a rotation is under way, or none is.
 */
export function rotated(secrets: Secrets, { name, finish }: Rotation): Secrets {
  const key = rotatable[name]
  const [current, ...former] = parseSecrets(secrets[key])
  if (!finish && former.length > 0) throw new Failure('conflict', `The ${name} is being rotated: finish that first.`)
  if (finish && former.length === 0) throw new Failure('conflict', `The ${name} is not being rotated.`)
  return { ...secrets, [key]: finish ? current : `${newSecret()},${current}` }
}
