import type { OutlineReference } from '@recto/markdown'
import { baseName, folderOf, isBelow, isMarkdown } from '@recto/repository-format'
import { resolveTarget, spelledPath, type ContentRef, type TargetLookup } from '@recto/repository-content'
import type { FindingDraft } from '../findings/finding.ts'

/** The content against which links of a repository are checked. */
export interface LinkContext {
  content: TargetLookup
  /** All paths of the repository, those outside of the content among them. */
  paths: ReadonlySet<string>
  /** The same paths by their names in lower case. */
  pathsByLowerCase: ReadonlyMap<string, string>
  /** Folders of other spaces of the same repository. */
  otherSpaces: readonly string[]
  /** The file that lists these spaces, if there is one. */
  siteFile: string | undefined
  /** The ids of the spaces that exist; undefined when nothing is known of them. */
  spaceIds: ReadonlySet<string> | undefined
}

/** A page or reusable content that has references. */
export interface LinkSource {
  id: string
  file: string
}

/**
 * Checks one reference:
 *
 * | a reference to                                             | is                      |
 * | ---------------------------------------------------------- | ----------------------- |
 * | a page, a file, a reusable content, an address             | no finding              |
 * | a heading that the page does not have                      | `anchor`                |
 * | a URL of a space that does not exist                       | `space-link`            |
 * | a file below the folder of another space                   | `space-link`            |
 * | a file below the folder of no space                        | `link`, which says so   |
 * | a page that is not in the table of contents                | `link`, which says so   |
 * | a name in another case                                     | `link`, which names it  |
 * | anything else that the content does not have               | `link`                  |
 */
export function checkReference(
  { target, kind, line }: Pick<OutlineReference, 'target' | 'kind' | 'line'>,
  { id, file }: LinkSource,
  context: LinkContext,
): FindingDraft | undefined {
  const { content } = context
  const { status, ref } = resolveTarget({ target, kind, page: id, file }, content)
  const at = { file, line, target }
  if (status === 'ok') return undefined
  if (status === 'in-app') return spaceFinding(ref, at, context)
  if (ref?.kind === 'anchor')
    return { ...at, rule: 'anchor', message: `The target of ${target} has no heading ${ref.anchor}` }
  const path = spelledPath(target, { file, root: content.root })?.replace(/#.*$/s, '')
  const space = context.otherSpaces.find(folder => path !== undefined && isBelow(path, folder))
  if (space !== undefined) {
    const message = `${target} leads into the folder of another space, ${space}: link to its address instead`
    return { ...at, rule: 'space-link', message }
  }
  return { ...at, rule: 'link', message: `${target} leads nowhere${hintOf(path, context)}` }
}

type Place = Pick<FindingDraft, 'file' | 'line' | 'target'>

function spaceFinding(
  ref: ContentRef | undefined,
  at: Place,
  { content, spaceIds }: LinkContext,
): FindingDraft | undefined {
  const url = ref?.kind === 'url' ? ref.url.slice(content.publicUrl.length) : ''
  const [, space] = /^\/s\/([^/#?]+)/.exec(url) ?? []
  if (space === undefined || !spaceIds || spaceIds.has(space)) return undefined
  return { ...at, rule: 'space-link', message: `There is no space ${space}` }
}

function hintOf(path: string | undefined, { paths, pathsByLowerCase, siteFile, content }: LinkContext): string {
  if (path === undefined) return ''
  if (path.split('/')[0] === '..') return ': it is outside of the folder'
  if (siteFile !== undefined && !isBelow(path, content.root))
    return `: no space of ${siteFile} has the folder ${folderOf(path) || 'at the top'}`
  const page = [path, `${path}.md`, `${path}/README.md`].find(candidate => paths.has(candidate))
  if (page !== undefined)
    return isMarkdown(page) ? `: ${page} is not in the table of contents` : `: ${page} is no file of the content`
  const sameName = pathsByLowerCase.get(path.toLowerCase())
  if (sameName === undefined) return isBelow(path, content.root) ? '' : ': it is outside of the content'
  return `: the name is ${baseName(sameName)}, in another case`
}
