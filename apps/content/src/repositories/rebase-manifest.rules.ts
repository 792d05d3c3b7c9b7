import { isBelow } from '@recto/repository-format'
import { joinPath } from '../pages/repository-files.ts'
import type { Manifest } from './import-manifest.ts'

type ManifestPage = Manifest['pages'][number]
type InRepository = { git?: { path: string; oid: string } | undefined }

/**
 * Moves the content of an import to another folder of the repository, as `root`. Files outside of the folder of the content stay where they
 * are. Paths of redirects are below that folder, so that they stay, too.
 */
export function rebaseManifest(manifest: Manifest, root: string): Manifest {
  const { configuration, pages, files, reusableContents } = manifest
  if (configuration.root === root) return manifest
  const rebase = (path: string) => rebasedPath(path, configuration.root, root)
  return {
    ...manifest,
    configuration: {
      ...configuration,
      root,
      readme: rebase(configuration.readme),
      summary: rebase(configuration.summary),
    },
    pages: pages.map(page => rebasedPage(page, rebase)),
    files: files.map(file => ({ ...file, ...rebasedGit(file, rebase) })),
    reusableContents: reusableContents.map(record => ({ ...record, ...rebasedGit(record, rebase) })),
  }
}

function rebasedPath(path: string, from: string, to: string): string {
  if (from === '') return joinPath(to, path)
  return isBelow(path, from) ? joinPath(to, path.slice(from.length + 1)) : path
}

function rebasedGit<T extends InRepository>({ git }: T, rebase: (path: string) => string): Pick<T, 'git'> {
  return git ? { git: { ...git, path: rebase(git.path) } } : {}
}

function rebasedPage<T extends ManifestPage>(page: T, rebase: (path: string) => string): T {
  const children = 'pages' in page ? { pages: page.pages.map(child => rebasedPage(child, rebase)) } : {}
  if (page.type !== 'document') return { ...page, ...children }
  const { cover } = page
  const rebasedCover = cover && {
    ...cover,
    ...(cover.path !== undefined && { path: rebase(cover.path) }),
    ...(cover.pathDark !== undefined && { pathDark: rebase(cover.pathDark) }),
  }
  return { ...page, ...children, ...rebasedGit(page, rebase), ...(rebasedCover && { cover: rebasedCover }) }
}
