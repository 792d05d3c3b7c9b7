/*
 * A body stands in an element with the class `page-body` (styles/blocks.css). It works without a script. One finds in it:
 * `[data-copy][hidden]`     a button to copy the `code` of its `figure`; `data-copied` is what it says then
 * `[data-embed][hidden]`    a button to put a frame of this source, with the title `data-embed-title`, in the place of its `figure`
 * `[data-tabs]`             tabs: the `[role=tablist][hidden]` to show, its `[role=tab]` and the `[role=tabpanel]` to hide but one;
 *                           tabs of the same `data-tab-title` are in step; an anchor may lead into a panel, or a `details`
 * `figure[data-diagram]`    code that a script may draw: the value is the title of its frame
 * `[data-updates]`          dated entries: the `.updates-filter[hidden]` to show, whose buttons `[data-update-filter]` leave each `.update`
 *                           that has the `[data-update-tag]` of one that is pressed, or all where none is
 * `[popover]`               notes to the text, which their buttons open by themselves
 */
export * from './model/body.ts'
export { CommentThreads } from './marks/comment-thread.tsx'
export { placeComments } from './marks/place-comments.rules.ts'
export { markDocument } from './marks/mark-document.ts'
export type { DocumentMarks } from './model/mark.ts'
export { settingText } from './marks/settings.rules.ts'
export { bodyNeeds } from './body-needs.ts'
export { EmojiOrIcon } from './icons/emoji-or-icon.tsx'
export { Icon } from './icons/icon.tsx'
export { assistantLinks } from './model/ai-assistants.ts'
export { emojiText } from './model/plain-text.ts'
export { colorName } from './text/leaves.tsx'
export { TagLabel } from './text/tag-label.tsx'
export { safeUrl } from './model/safe-url.ts'
