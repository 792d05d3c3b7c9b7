import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmFootnote } from 'micromark-extension-gfm-footnote'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'
import { math } from 'micromark-extension-math'
import type { Construct, Extension } from 'micromark-util-types'
import { emojiSyntax } from './emoji-syntax.ts'
import { htmlSyntax } from './html-syntax.ts'
import { tagSyntax } from './tag-syntax.ts'

interface OptionalSyntax {
  /** Matches every page that may hold it. */
  sign: RegExp
  extension: Extension
}

const emails = addressSyntax(({ name }) => name === 'emailAutolink')
const addresses = addressSyntax(({ name }) => name !== 'emailAutolink')

/** Where two read the same character, the later extension is asked first, as in `gfm()` of `micromark-extension-gfm`. */
const optionalSyntaxes: OptionalSyntax[] = [
  { sign: /https?:|www\./i, extension: addresses },
  // Their constructs are tried at each letter and digit, which makes a quarter of the work of a page without any.
  { sign: /[-+.\w]@/, extension: emails },
  { sign: /\[\^/, extension: gfmFootnote() },
  { sign: /~/, extension: gfmStrikethrough() },
  // A row of delimiters has a bar, or a colon beside its dashes.
  { sign: /\||:-|-:/, extension: gfmTable() },
  { sign: /\[[ \txX\n]\]/, extension: gfmTaskListItem() },
  { sign: /\$\$/, extension: math({ singleDollarTextMath: false }) },
]

const dialect = [htmlSyntax, tagSyntax, emojiSyntax]

/** Chooses the extensions of micromark that a page may need: the tree is the same as with all of them, and takes less time. */
export function pageSyntax(markdown: string): Extension[] {
  const needed = optionalSyntaxes.filter(({ sign }) => sign.test(markdown))
  return [...needed.map(({ extension }) => extension), ...dialect]
}

/** Addresses in text, `https://…` and e-mails, are one extension; this one has some of its constructs. */
function addressSyntax(isWanted: (construct: Construct) => boolean): Extension {
  const constructs = Object.entries(gfmAutolinkLiteral().text ?? {})
  const records = constructs.map(([code, list]) => [code, [list ?? []].flat().filter(isWanted)] as const)
  return { text: Object.fromEntries(records.filter(([, list]) => list.length > 0)) }
}
