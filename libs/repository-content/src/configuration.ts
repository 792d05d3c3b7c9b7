import { parseWithFaults, type SchemaFault } from '@recto/schema-faults'
import { z } from 'zod'
import { cleanedTextWarnings, type ParsedYaml, parseYaml, type SpaceTag } from '@recto/markdown'
import { ImportFailure, type Warning } from './import-failure.ts'
import { isAbsolutePath, joinInside, pathFault } from '@recto/repository-format'

/** The paths of content, relative to the repository; the empty path is its root. */
export interface Configuration {
  root: string
  readme: string
  summary: string
  /** Old path of a page to the file that took its place, unresolved. */
  redirects: Record<string, string>
  /** The tags that pages can have, of a file of their own. */
  tags?: SpaceTag[] | undefined
}

/** The path of the file of variables below the root of a content. */
export function variablesPath(root: string): string {
  return joinInside(root, '.gitbook/vars.yaml') ?? '.gitbook/vars.yaml'
}

/** The path of the file of tags below the root of a content. */
export function tagsPath(root: string): string {
  return joinInside(root, '.gitbook/tags.yaml') ?? '.gitbook/tags.yaml'
}

const Path = z.string().min(1)

/** The schema of `.gitbook.yaml`; unknown keys are warnings. */
const File = z.looseObject({
  root: Path.optional(),
  structure: z.looseObject({ readme: Path.optional(), summary: Path.optional() }).nullish(),
  redirects: z.record(z.string(), z.string()).nullish(),
})

const keys: Record<string, string[]> = { '': ['root', 'structure', 'redirects'], structure: ['readme', 'summary'] }

/** Resolves the project directory of a request. Throws `ImportFailure` when it leads out of the repository. */
export function projectFolder(directory: string | undefined): string {
  const folder = joinInside((directory ?? '').replace(/^\/+/, ''))
  if (folder === undefined)
    throw new ImportFailure('invalid_configuration', 'The project directory is not a folder of the repository')
  return folder
}

/** Names of files that the configuration does not name. */
const usualNames = { readme: 'README.md', summary: 'SUMMARY.md' } as const

/** A file that `.gitbook.yaml` names, with its line. */
interface NamedFile {
  field: keyof typeof usualNames
  line: number | undefined
}

/** A configuration as declared, before it is checked against the files of the repository. */
export interface ReadConfiguration {
  configuration: Configuration
  /** Path of the file. */
  path: string
  namedFiles: NamedFile[]
  warnings: Warning[]
}

/** Reads `.gitbook.yaml`. Throws `ImportFailure` with file, line and field for a fault; unknown keys are warnings. */
export function readConfiguration(text: string | undefined, project: string): ReadConfiguration {
  const path = joinInside(project, '.gitbook.yaml') ?? '.gitbook.yaml'
  const yaml = parseYaml(text ?? '', { cleansValues: true })
  if (!yaml.ok)
    throw new ImportFailure('invalid_configuration', `${path}, line ${yaml.line}: ${yaml.message}`, { path })
  const result = parseWithFaults(File, yaml.value ?? {})
  if (!result.success) throw invalidConfiguration(path, yaml, result.faults[0])
  const { root: under, structure, redirects } = result.data
  const root = resolveInside(under ?? './', { base: project, field: 'root', path, yaml })
  const readme = resolveInside(structure?.readme ?? usualNames.readme, {
    base: root,
    field: 'structure.readme',
    path,
    yaml,
  })
  const summary = resolveInside(structure?.summary ?? usualNames.summary, {
    base: root,
    field: 'structure.summary',
    path,
    yaml,
  })
  return {
    configuration: { root, readme, summary, redirects: redirects ?? {} },
    path,
    namedFiles: (['readme', 'summary'] as const)
      .filter(field => structure?.[field] !== undefined)
      .map(field => ({ field, line: yaml.lineOf(['structure', field]) })),
    warnings: [...cleanedTextWarnings(yaml, path), ...unknownKeys(yaml, path)],
  }
}

/** Checks a configuration against the files. A named file that does not exist is a warning, and is replaced by the usual name if that exists. */
export function withExistingFiles(
  { configuration, path, namedFiles }: Omit<ReadConfiguration, 'warnings'>,
  has: (path: string) => boolean,
): { configuration: Configuration; warnings: Warning[] } {
  const missing = namedFiles.filter(({ field }) => !has(configuration[field]))
  const existing = { ...configuration }
  const warnings = missing.map(({ field, line }) => {
    const name = configuration[field]
    const usual = joinInside(configuration.root, usualNames[field]) ?? usualNames[field]
    const takesUsual = usual !== name && has(usual)
    if (takesUsual) existing[field] = usual
    const effect = takesUsual ? `; ${usual} is taken instead` : ''
    const message = `structure.${field} names ${name}, which is not a file of the content${effect}`
    return { path, message, ...(line !== undefined && { line }) }
  })
  return { configuration: existing, warnings }
}

function invalidConfiguration(path: string, yaml: ParsedYaml, fault: SchemaFault | undefined): ImportFailure {
  const line = yaml.ok ? yaml.lineOf(fault?.keys ?? []) : undefined
  return new ImportFailure(
    'invalid_configuration',
    `${path}, ${line === undefined ? '' : `line ${line}, `}${fault?.path || 'the file'}: ${fault?.message ?? 'is not valid'}`,
    { path },
  )
}

function resolveInside(value: string, at: { base: string; field: string; path: string; yaml: ParsedYaml }): string {
  const resolvedPath = isAbsolutePath(value) ? undefined : joinInside(at.base, value)
  if (resolvedPath !== undefined) return resolvedPath
  const line = at.yaml.ok ? at.yaml.lineOf(at.field.split('.')) : undefined
  throw new ImportFailure(
    'invalid_configuration',
    `${at.path}, line ${line ?? 1}, ${at.field}: ${isAbsolutePath(value) ? 'leads out of the repository' : pathFault([at.base, value])}`,
    { path: at.path },
  )
}

function unknownKeys(yaml: ParsedYaml, path: string): Warning[] {
  if (!yaml.ok) return []
  return Object.entries(keys).flatMap(([parent, knownKeys]) => {
    const value = parent ? (yaml.value as Record<string, unknown> | null)?.[parent] : yaml.value
    return Object.keys((value ?? {}) as object)
      .filter(key => !knownKeys.includes(key))
      .map(key => {
        const line = yaml.lineOf(parent ? [parent, key] : [key])
        return {
          path,
          message: `The field ${parent ? `${parent}.` : ''}${key} is not known and has no effect`,
          ...(line !== undefined && { line }),
        }
      })
  })
}

/** The redirects of a configuration whose target is not a page, as old path and target. */
export function danglingRedirects(
  { root, redirects }: Pick<Configuration, 'root' | 'redirects'>,
  pages: ReadonlySet<string>,
): [from: string, to: string][] {
  return Object.entries(redirects).filter(
    ([, target]) => !pages.has(joinInside(root, target.replace(/#.*$/s, '')) ?? ''),
  )
}
