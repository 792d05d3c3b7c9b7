import { createHash } from 'node:crypto'
import { spelledPath } from '@recto/repository-content'
import type { ContentReferenceRow } from './content-reference.entity.ts'

/** Largest length of a key in characters: it is part of an index, whose entries are bounded. */
const maxKeyLength = 300

/** The kinds of references whose target is part of the page. */
const dependencies = new Set(['include', 'openapi', 'swagger'])

/** The relation of a page to its target: `dependsOn` when the target is part of the page. */
export function relationOf(kind: string): 'reference' | 'dependsOn' {
  return dependencies.has(kind) ? 'dependsOn' : 'reference'
}

type Resolved = Pick<ContentReferenceRow, 'reference' | 'targetKind' | 'targetId' | 'targetAnchor'>
type ReferenceSyntax = Pick<ContentReferenceRow, 'target' | 'kind'> & { file: string; root: string }

/**
 * The key of a reference's target: references of a space with the same key are places of one target, however they are written.
 *
 * | a reference to                                      | is identified by                                     |
 * | --------------------------------------------------- | ---------------------------------------------- |
 * | a page, file or reusable content, or a place in one | its id, and the anchor                         |
 * | a specification                                     | its slug                                       |
 * | the space itself                                    | the id of the space                            |
 * | a URL, inside of the application or not             | the URL in its normal form                     |
 * | a path that leads nowhere                           | the path from the root, unescaped, the anchor  |
 * | anything else that leads nowhere                    | its target as it is written                    |
 *
 * The same target has two keys when one page includes it (`dependsOn`) and another one refers to it.
 */
export function targetKey(reference: ReferenceSyntax, resolved: Resolved): string {
  // The database stores no NUL, which an escape may spell.
  const key = `${relationOf(reference.kind)} ${identityOf(reference, resolved)}`.replaceAll('\0', '')
  return key.length <= maxKeyLength ? key : `${key.split(' ', 2).join(' ')} ${digest(key)}`
}

function identityOf(
  { target, file, root }: ReferenceSyntax,
  { reference, targetKind, targetId, targetAnchor }: Resolved,
): string {
  if (targetKind !== null && targetId !== null)
    return `${targetKind} ${targetId}${targetAnchor === null ? '' : `#${targetAnchor}`}`
  if (reference?.kind === 'openapi') return `openapi ${reference.spec}`
  if (reference?.kind === 'space') return `space ${reference.space}`
  if (reference?.kind === 'url') return `url ${normalUrl(reference.url)}`
  const path = spelledPath(target, { file, root })
  return path === undefined ? `target ${normalUrl(target.trim())}` : `path ${path}`
}

function normalUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
