import { createHash } from 'node:crypto'

/** A weak entity tag of a text (RFC 9110, 8.8.3), so that a reader who has it is not sent it again. */
export function entityTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}
