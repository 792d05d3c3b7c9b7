import { EmojiOrIcon } from '../icons/emoji-or-icon.tsx'
import type { TagLook } from '../model/body.ts'

/** The label of a tag, with its emoji or icon. */
export function TagLabel({ look: { label, emoji, icon } }: { look: TagLook }) {
  return (
    <>
      <EmojiOrIcon emoji={emoji} icon={icon} />
      <bdi>{label}</bdi>
    </>
  )
}
