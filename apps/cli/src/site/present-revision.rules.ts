import { decodeEntities, presentLayout, type PageLayout } from '@recto/markdown'
import { brokenReference } from '@recto/markdown/schema'
import { resolveTarget, type ManifestPage } from '@recto/repository-content'
import type { PageReply, RevisionReply } from './site-types.ts'
import type { SpaceContent } from './space-content.ts'

/** A revision of a folder in the form that readers ask the API for. */
export function presentRevision(space: SpaceContent, fileUrl: (id: string) => string): RevisionReply {
  const { manifest } = space.repository
  const files = manifest.files.map(({ name, git, contentType, size, dimensions }) => {
    const id = space.content.fileByPath(git.path)?.id ?? ''
    return { id, name, contentType, size, downloadURL: fileUrl(id), ...(dimensions && { dimensions }) }
  })
  const reusableContents = manifest.reusableContents.map(({ title, git: { path }, document }) => ({
    id: space.content.reusableByFile(path)?.id,
    title,
    document,
  }))
  const reply = {
    object: 'revision',
    id: space.revision,
    type: 'edits',
    parents: [],
    pages: presentPages(manifest.pages, space),
    files,
    reusableContents,
    variables: manifest.variables,
    tags: manifest.configuration.tags ?? [],
    createdAt: '1970-01-01T00:00:00.000Z',
    urls: { app: '' },
  }
  return reply as unknown as RevisionReply
}

function presentPages(pages: readonly ManifestPage[], space: SpaceContent): PageReply[] {
  return pages.filter(space.isVisible).flatMap(page => presentPage(page, space) ?? [])
}

function presentPage(page: ManifestPage, space: SpaceContent): PageReply | undefined {
  const place = space.placeOf.get(page)
  // Pages of specifications are computed where the specification is.
  if (!place || page.type === 'computed') return undefined
  const { title, linkTitle, emoji, icon, hidden } = page
  const fields = {
    id: place.id,
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
  }
  if (page.type === 'link') return { ...fields, type: 'link', kind: 'link', ...linkOf(page.href, space) } as PageReply
  const { slug, noIndex, noRobotsIndex } = page
  const paths = { slug, path: place.path, ...(noIndex && { noIndex }), ...(noRobotsIndex && { noRobotsIndex }) }
  const pages = presentPages(page.pages, space)
  if (page.type === 'group') return { ...fields, ...paths, type: 'group', kind: 'group', pages } as PageReply
  return { ...fields, ...paths, ...documentFields(page, space), pages } as PageReply
}

function documentFields(page: Extract<ManifestPage, { type: 'document' }>, space: SpaceContent) {
  const { description, document, layout, cover, tags = [] } = page
  return {
    type: 'document',
    kind: 'sheet',
    urls: { app: '' },
    ...(description !== undefined && { description }),
    ...(document !== undefined && { documentId: document }),
    layout: presentLayout(layout as PageLayout | undefined),
    ...(cover && { cover: coverOf(cover, space) }),
    tags: tags.map(({ tag, primary }) => ({ tag: { kind: 'tag', tag }, ...(primary !== undefined && { primary }) })),
  }
}

type Cover = NonNullable<Extract<ManifestPage, { type: 'document' }>['cover']>

function coverOf({ path, pathDark, ref, refDark, ...look }: Cover, { content }: SpaceContent) {
  const fileOf = (file: string | undefined) => {
    const id = file === undefined ? undefined : content.fileByPath(file)?.id
    return id === undefined ? undefined : { kind: 'file' as const, file: id }
  }
  const light = ref ?? fileOf(path)
  const dark = refDark ?? fileOf(pathDark)
  return { ...look, ...(light && { ref: light }), ...(dark && { refDark: dark }) }
}

/** A link of the page tree; what it names without a URL is looked up as a link of the page at the root would be. */
function linkOf(href: string, { content }: SpaceContent) {
  const { ref } = resolveTarget({ target: href, kind: 'link', page: '', file: 'SUMMARY.md' }, content)
  const url = decodeEntities(href)
  return { target: ref ?? { kind: 'url', url: brokenReference }, ...(ref?.kind === 'url' && { href: url }) }
}
