import { Icon } from '../icons/icon.tsx'
import type { TagLook } from '../model/body.ts'
import { emojiText } from '../model/plain-text.ts'

/** The label of a tag, with its emoji or icon. */
export function TagLabel({ look: { label, emoji, icon } }: { look: TagLook }) {
  return (
    <>
      {emoji !== undefined ? <span aria-hidden="true">{emojiText(emoji)} </span> : <Icon name={icon} />}
      <bdi>{label}</bdi>
    </>
  )
}
