import { emojiText } from '../model/plain-text.ts'
import { Icon } from './icon.tsx'

/** The emoji before a text, or its icon where it has no emoji; both say nothing of their own. */
export function EmojiOrIcon({ emoji, icon }: { emoji?: string | undefined; icon?: string | undefined }) {
  return emoji !== undefined ? <span aria-hidden="true">{emojiText(emoji)} </span> : <Icon name={icon} />
}
