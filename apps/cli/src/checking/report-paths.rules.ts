import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Finding } from '@recto/repository-check'

/** The path of a folder from a working folder that it is below; empty for one that is elsewhere, and for the working folder itself. */
export function pathBelow(workingFolder: string, folder: string): string {
  const path = relative(workingFolder, resolve(workingFolder, folder))
  const names = path.split(sep)
  return names[0] === '..' || isAbsolute(path) ? '' : names.join('/')
}

/** Findings of a folder with the paths of their files from another one above it. Their fingerprints stay those of the folder. */
export function withFolder(findings: readonly Finding[], path: string): Finding[] {
  return findings.map(finding => ({ ...finding, file: [path, finding.file].filter(Boolean).join('/') }))
}
