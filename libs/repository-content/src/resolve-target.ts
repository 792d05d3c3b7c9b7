import { decodeUriComponent } from '@recto/text'
import { posix } from 'node:path'
import { decodeEntities } from '@recto/markdown'

/** A content in which targets are looked up: of a space, or of a folder. */
export interface TargetLookup {
  spaceId: string
  publicUrl: string
  /** Folder of the repository that holds the content. */
  root: string
  page(id: string): Identified | undefined
  pageByPath(path: string): Identified | undefined
  pageByFile(file: string): Identified | undefined
  file(id: string): Identified | undefined
  fileByPath(file: string): Identified | undefined
  reusable(id: string): Identified | undefined
  reusableByFile(file: string): Identified | undefined
  /** Whether the organization has a specification with a version; without this function, no specification exists. */
  hasSpec?(slug: string): boolean
  /** Whether a page has an anchor; without this function, anchors are not checked. */
  hasAnchor?(page: string, anchor: string): boolean
}

interface Identified {
  id: string
}

/** A reference as the document form has it; without `page`, an anchor is on the page itself. */
export type ContentRef =
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'file'; file: string }
  | { kind: 'reusable-content'; reusableContent: string }
  | { kind: 'space'; space: string }
  | { kind: 'openapi'; spec: string }
  | { kind: 'url'; url: string }

/** The result of resolving a target: `broken` when it is not in the content, `in-app` when it is in the application and not in the content. */
export interface ResolvedTarget {
  status: 'ok' | 'broken' | 'in-app'
  /** The named reference, also when its anchor or specification is missing; absent when nothing is known of a broken target. */
  ref?: ContentRef
}

/** A target as it is written, and the page that has it. */
export interface WrittenTarget {
  target: string
  /** The syntax it is written with; `include` and `openapi` have targets of their own. */
  kind: string
  page: string
  /** The path of the page's file, from which relative targets are seen. */
  file: string
}

const broken: ResolvedTarget = { status: 'broken' }
const readme = 'README.md'

/** Resolves a target. Pages are found by their file, also by its folder when it is a README, and by their path. */
export function resolveTarget(sourceTarget: WrittenTarget, content: TargetLookup): ResolvedTarget {
  const target = decodeEntities(sourceTarget.target).trim()
  if (target === '' || isUnknownReference(target)) return broken
  if (sourceTarget.kind === 'openapi' && /^[\w-]+$/.test(target))
    return { status: content.hasSpec?.(target) ? 'ok' : 'broken', ref: { kind: 'openapi', spec: target } }
  if (target.startsWith('#'))
    return pageTarget({ id: sourceTarget.page, isSame: true }, decodeOrKeep(target.slice(1)), content)
  if (target.startsWith('//')) return { status: 'ok', ref: { kind: 'url', url: target } }
  if (hasScheme(target)) return absoluteTarget(target, content)
  return relativeTarget(target, sourceTarget, content)
}

function absoluteTarget(target: string, content: TargetLookup): ResolvedTarget {
  if (/^https?:/i.test(target) && !URL.canParse(target)) return broken
  const url: ContentRef = { kind: 'url', url: target }
  const { publicUrl, spaceId } = content
  const inApp = target === publicUrl || target.startsWith(`${publicUrl}/`) ? target.slice(publicUrl.length) : undefined
  const [, space, rest = ''] = /^\/s\/([^/#?]+)(.*)$/s.exec(inApp ?? '') ?? []
  if (space === spaceId) return ownTarget(rest, content) ?? { status: 'in-app', ref: url }
  // Other paths of the server are outside of the application.
  if (space !== undefined || isApplicationUrl(target, publicUrl)) return { status: 'in-app', ref: url }
  return { status: 'ok', ref: url }
}

/** Whether a URL is one of the application: of a space, a collection, an organization, a user or a specification. */
export function isApplicationUrl(url: string, publicUrl: string): boolean {
  return url.startsWith(`${publicUrl}/`) && /^\/(?:[scou]|~)(?:[/?#]|$)/.test(url.slice(publicUrl.length))
}

/** A target in the space itself; undefined for places of the application that are not pages. */
function ownTarget(rest: string, content: TargetLookup): ResolvedTarget | undefined {
  const { path, anchor } = splitAnchor(rest.replace(/^\//, ''))
  const pagePath = decodeOrKeep(path).replace(/\/$/, '')
  if (pagePath === '')
    return anchor === undefined ? { status: 'ok', ref: { kind: 'space', space: content.spaceId } } : broken
  const [, id] = /^~\/pages\/([^/]+)$/.exec(pagePath) ?? []
  if (id === undefined && pagePath.startsWith('~')) return recordTarget(pagePath, content)
  const page = id === undefined ? content.pageByPath(pagePath) : content.page(id)
  return page ? pageTarget({ id: page.id }, anchor, content) : broken
}

/** A file or reusable content by its id. */
function recordTarget(place: string, content: TargetLookup): ResolvedTarget | undefined {
  const [, kind, id = ''] = /^~\/(files|reusable)\/([^/]+)$/.exec(place) ?? []
  if (kind === undefined) return undefined
  const ref: ContentRef =
    kind === 'files' ? { kind: 'file', file: id } : { kind: 'reusable-content', reusableContent: id }
  return (kind === 'files' ? content.file(id) : content.reusable(id)) ? { status: 'ok', ref } : broken
}

/** The path that a target spells, seen from the file that has it, with the anchor after `#`; undefined when the target is not relative to a file. */
export function spelledPath(spelling: string, { file, root }: { file: string; root: string }): string | undefined {
  const target = decodeEntities(spelling).trim()
  const { path, anchor } = splitAnchor(target)
  if (path === '' || isUnknownReference(target) || target.startsWith('//') || hasScheme(target)) return undefined
  const fullPath = joinPath(decodeOrKeep(path), { file, root }).replace(/^\/|\/$/g, '')
  return anchor === undefined || anchor === '' ? fullPath : `${fullPath}#${anchor}`
}

/** Whether a target is the placeholder that exports write for an unknown one. */
function isUnknownReference(target: string): boolean {
  return /(?:^|\/)broken-reference(?:[#?]|$)/.test(target)
}

function hasScheme(target: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(target)
}

function joinPath(path: string, { file, root }: { file: string; root: string }): string {
  return posix.join(path.startsWith('/') ? root : posix.dirname(file), path)
}

function relativeTarget(target: string, { file, page, kind }: WrittenTarget, content: TargetLookup): ResolvedTarget {
  const { path, anchor } = splitAnchor(target)
  if (path === '') return anchor === undefined ? { status: 'ok', ref: { kind: 'page', page } } : broken
  // A file may have a percent sign in its name: the path is tried as it is written, then decoded.
  for (const candidate of new Set([path, decodeOrKeep(path)])) {
    const fullPath = joinPath(candidate, { file, root: content.root })
    if (fullPath.startsWith('..')) continue
    const resolvedTarget = findByPath(fullPath.replace(/^\/|\/$/g, ''), { kind, anchor }, content)
    if (resolvedTarget) return resolvedTarget
  }
  return broken
}

function findByPath(
  path: string,
  { kind, anchor }: { kind: string; anchor: string | undefined },
  content: TargetLookup,
): ResolvedTarget | undefined {
  const reusable = content.reusableByFile(path)
  if (reusable && kind === 'include')
    return { status: 'ok', ref: { kind: 'reusable-content', reusableContent: reusable.id } }
  const inRoot = content.root === '' ? path : path.replace(`${content.root}/`, '')
  const page =
    content.pageByFile(path) ??
    content.pageByFile(path === '.' || path === '' ? readme : `${path}/${readme}`) ??
    content.pageByFile(`${path}.md`) ??
    content.pageByPath(inRoot.replace(/\.md$/, ''))
  if (page) return pageTarget({ id: page.id }, anchor, content)
  const file = content.fileByPath(path)
  if (file) return { status: 'ok', ref: { kind: 'file', file: file.id } }
  return reusable && { status: 'ok', ref: { kind: 'reusable-content', reusableContent: reusable.id } }
}

function pageTarget(
  { id, isSame = false }: { id: string; isSame?: boolean },
  anchor: string | undefined,
  { hasAnchor }: TargetLookup,
): ResolvedTarget {
  if (anchor === undefined || anchor === '') return { status: 'ok', ref: { kind: 'page', page: id } }
  const status = !hasAnchor || hasAnchor(id, anchor) ? 'ok' : 'broken'
  return { status, ref: { kind: 'anchor', anchor, ...(!isSame && { page: id }) } }
}

/** Splits a link target into path and anchor; its query is dropped. */
function splitAnchor(target: string): { path: string; anchor: string | undefined } {
  const [withQuery = '', ...anchor] = target.split('#')
  const [path = ''] = withQuery.split('?')
  return { path, anchor: anchor.length > 0 ? decodeOrKeep(anchor.join('#')) : undefined }
}

/** Percent-decoded; as it is when it is malformed. */
function decodeOrKeep(text: string): string {
  return decodeUriComponent(text) ?? text
}
