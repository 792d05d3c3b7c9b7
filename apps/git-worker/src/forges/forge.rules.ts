import type { Forge as ForgeName } from '@recto/contracts-git-worker'
import { decodeUriComponent } from '@recto/text'
import type { z } from 'zod'

/** A program that hosts repositories. GitLab calls pull requests merge requests. */
export type Forge = z.output<typeof ForgeName>

const hosts: Partial<Record<string, Forge>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'forgejo',
  'gitea.com': 'gitea',
}

/** The forge of a repository whose host says it; undefined for any other host. */
export function forgeAt(url: string): Forge | undefined {
  return hosts[new URL(url).hostname]
}

/** The address of the API of a repository's forge, without a slash at its end. */
export function apiUrlOf(forge: Forge, url: string): string {
  const { origin, hostname } = new URL(url)
  if (forge === 'github') return hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
  return forge === 'gitlab' ? `${origin}/api/v4` : `${origin}/api/v1`
}

/** The names in the path of a repository, such as those of its owner and its own. */
function namesIn(url: string): string[] {
  const path = new URL(url).pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return path
    .split('/')
    .filter(Boolean)
    .map(name => decodeUriComponent(name) ?? name)
}

/** The address of a repository in the API of its forge. No name of the repository leads to another address. */
export function projectUrlOf({ forge, apiUrl, url }: { forge: Forge; apiUrl: string; url: string }): string {
  const names = namesIn(url)
  if (forge === 'gitlab') return `${apiUrl}/projects/${encodeURIComponent(names.join('/'))}`
  return `${apiUrl}/repos/${names.map(encodeURIComponent).join('/')}`
}

/** The ref of a pull request's head, which the forge writes, also for one from a fork. */
export function headRefOf(forge: Forge, number: number): string {
  return `refs/${forge === 'gitlab' ? 'merge-requests' : 'pull'}/${number}/head`
}

/** The head of a pull request in its repository. */
export interface PullHead {
  number: number
  head: string
}

const headRef = /^refs\/(pull|merge-requests)\/([1-9]\d{0,8})\/head$/
const commitId = /^[0-9a-f]{40}$/

/** The heads of the pull requests that a git server lists. Refs of other forms, and other object names, are left out. */
export function pullHeadsIn(refs: readonly { ref: string; oid: string }[], forge: Forge): PullHead[] {
  const folder = forge === 'gitlab' ? 'merge-requests' : 'pull'
  return refs.flatMap(({ ref, oid }) => {
    const match = headRef.exec(ref)
    return match?.[1] === folder && commitId.test(oid) ? [{ number: Number(match[2]), head: oid }] : []
  })
}
