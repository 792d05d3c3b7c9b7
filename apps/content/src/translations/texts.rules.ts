import { abbreviate } from '@recto/text'
import { createHash } from 'node:crypto'
import { isReplyTo } from '@recto/markdown'

/** The settings of translating a text. */
export interface TextSettings {
  from: string
  to: string
  /** Instructions for engines that take any; empty for others. */
  instructions: string
}

/** The key under which a translation of a text is remembered: everything that it depends on but the engine, so that another engine translates nothing again. */
export function memoryKey({ from, to, instructions }: TextSettings, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([from, to, instructions, text]))
    .digest('base64url')
}

/** The fault of a reply to a text; undefined when it can be used. */
export function replyFault(source: string, reply: string): string | undefined {
  if (/\0|\p{Cs}/u.test(reply)) return 'The engine answered with characters that cannot be stored'
  if (reply.length > 200 + source.length * 10) return 'The engine answered with far more text'
  if (!isReplyTo(source, reply)) return 'The engine lost or changed placeholders, or added markup'
  return undefined
}

/** Texts in batches that an engine takes; one that alone exceeds its characters is a batch of its own. */
export function batchesOf<Item extends { text: string }>(
  items: readonly Item[],
  { segments, characters }: { segments: number; characters: number },
): Item[][] {
  const batches: Item[][] = []
  let size = 0
  for (const item of items) {
    const last = batches.at(-1)
    if (last && last.length < segments && size + item.text.length <= characters) {
      last.push(item)
      size += item.text.length
    } else {
      batches.push([item])
      size = item.text.length
    }
  }
  return batches
}

/** Words of a text that is sent. */
export function wordCount(text: string): number {
  const words = text.replace(/<[^>]*>/g, ' ').match(/[\p{L}\p{N}]+/gu)
  return words?.length ?? 0
}

/** A text as notes show it. */
export function shortenText(text: string, length = 200): string {
  const words = text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return abbreviate(words, length)
}
