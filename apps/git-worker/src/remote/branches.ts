import { ImportFailure } from '@recto/repository-content'

/** A ref that a server advertises. */
export interface RemoteRef {
  ref: string
  oid: string
}

/** Finds the tip of a branch; throws `branch_not_found` with the names of existing branches. */
export function tipOf(refs: RemoteRef[], ref: string): string {
  const branch = refs.find(candidate => candidate.ref === ref)
  if (branch && /^[0-9a-f]{40}$/.test(branch.oid)) return branch.oid
  if (branch) throw new ImportFailure('invalid_repository', 'The repository uses object names that are not SHA-1')
  throw new ImportFailure(
    'branch_not_found',
    `The repository has no branch "${shortName(ref)}"; ${describeBranches(refs)}`,
  )
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

function describeBranches(refs: RemoteRef[]): string {
  const names = refs.filter(({ ref }) => ref.startsWith('refs/heads/')).map(({ ref }) => shortName(ref))
  if (names.length === 0) return 'it has no branches at all'
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  return `it has ${names
    .slice(0, 10)
    .map(name => `"${name}"`)
    .join(', ')}${more}`
}
