import { abbreviate } from '@recto/text'
import { isMap, parseDocument, stringify } from 'yaml'
import type { z } from 'zod'
import { editYaml, inLineEndingsOf, type YamlEdit } from './edit-yaml.ts'
import type { PageWarning } from './warning.ts'
import { parseYaml, type ParsedYaml } from './yaml.ts'

/** Characters that a warning shows of a name. */
const maxShownName = 100

/** Settings of one entry by name. */
export type SettingValues = Record<string, string | boolean>

/** The settings that each part of the file can have, by the name of the part. */
export type SettingSchemas<Section extends string> = Record<Section, Record<string, z.ZodType<string | boolean>>>

/** Settings by the part of the file and the key that they are under. */
export interface SettingsFile<Section extends string> {
  /** Whether it is a file of ours; one that is not has no settings, and nothing writes to it. */
  isReadable: boolean
  /** Why a file of ours cannot be read as a whole: what it restricts is not known. */
  fault?: string
  sections: Record<Section, Map<string, SettingValues>>
  warnings: PageWarning[]
  lineOf(section: Section, key: string): number | undefined
}

/** The settings that an entry has from now on; none remove it. */
export interface SettingsChange<Section extends string> {
  section: Section
  key: string
  values: SettingValues
}

const format = { version: 1 }
const comment = `# Settings that Markdown has no place for, by the file of a page or the place of an entry.\n`

/** Warnings that one file can cause. */
const maxWarnings = 100

/** A condition that cannot be read hides from every visitor what it is on, as one that cannot be evaluated does. */
const closed: SettingValues = { condition: 'false' }

/**
 * Reads the file of settings that Markdown has no place for. What is unknown or cannot be used is a warning, and the rest is read; a
 * condition that cannot be used becomes one that no visitor meets.
 */
export function readSettingsFile<Section extends string>(
  text: string,
  path: string,
  schemas: SettingSchemas<Section>,
): SettingsFile<Section> {
  const yaml = parseYaml(text.replace(/^\ufeff/, ''))
  const names = Object.keys(schemas) as Section[]
  const sections = Object.fromEntries(names.map(name => [name, new Map<string, SettingValues>()]))
  const file: SettingsFile<Section> = {
    isReadable: false,
    sections: sections as SettingsFile<Section>['sections'],
    warnings: [],
    lineOf: (section, key) => (yaml.ok ? yaml.lineOf([section, key]) : undefined),
  }
  const reading: Reading = { yaml, path, warnings: file.warnings }
  if (!yaml.ok) return faulty(file, { path, message: `The settings cannot be read: ${yaml.message}`, line: yaml.line })
  if (!isOwn(yaml.value)) {
    file.warnings.push({ path, message: notOwn, line: 1 })
    return file
  }
  for (const [name, section] of Object.entries(yaml.value as object)) {
    if (name === 'version') continue
    const schema = Object.hasOwn(schemas, name) ? schemas[name as Section] : undefined
    if (!schema) warn(reading, [name], `The field ${name} is not known and has no effect`)
    else if (!isValues(section))
      return faulty(file, { path, message: `The settings cannot be read: ${name} is not a map` })
    else readSection(sections[name] ?? new Map(), { section, name, schema, reading })
  }
  return { ...file, isReadable: true }
}

interface Reading {
  yaml: ParsedYaml
  path: string
  warnings: PageWarning[]
}

function faulty<Section extends string>(file: SettingsFile<Section>, warning: PageWarning): SettingsFile<Section> {
  return { ...file, fault: warning.message, warnings: [warning] }
}

const notOwn =
  'The file is not one of settings: it has no version: 1. It has no effect, and an export does not change it'

function isOwn(value: unknown): boolean {
  return isValues(value) && value['version'] === format.version
}

function isValues(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function warn({ yaml, path, warnings }: Reading, at: string[], message: string): void {
  if (warnings.length >= maxWarnings) return
  const line = yaml.ok ? yaml.lineOf(at) : undefined
  warnings.push({ path, message, ...(line !== undefined && { line }) })
}

function readSection(
  into: Map<string, SettingValues>,
  {
    section,
    name,
    schema,
    reading,
  }: { section: object; name: string; schema: Record<string, z.ZodType<string | boolean>>; reading: Reading },
): void {
  for (const [key, entry] of Object.entries(section)) {
    if (!isValues(entry)) {
      warn(reading, [name, key], `The settings of ${abbreviate(key, maxShownName)} are not a map; no visitor sees it`)
      into.set(key, closed)
    } else into.set(key, readEntry(entry, { at: [name, key], schema, reading }))
  }
}

function readEntry(
  entry: Record<string, unknown>,
  { at, schema, reading }: { at: string[]; schema: Record<string, z.ZodType<string | boolean>>; reading: Reading },
): SettingValues {
  const values: SettingValues = {}
  const of = `of ${abbreviate(at.at(-1) ?? '', maxShownName)}`
  for (const [name, value] of Object.entries(entry)) {
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined
    if (!field) {
      warn(reading, [...at, name], `The setting ${abbreviate(name, maxShownName)} ${of} is not known and has no effect`)
      continue
    }
    // YAML reads a slug of digits, or the condition true, as no text.
    const parsed = [value, typeof value === 'object' ? value : String(value)]
      .map(each => field.safeParse(each))
      .find(({ success }) => success)
    const fallback = closed[name]
    if (parsed?.success) values[name] = parsed.data
    else if (fallback !== undefined) values[name] = fallback
    if (parsed?.success) continue
    const effect = fallback === undefined ? 'it is ignored' : 'no visitor meets it'
    warn(reading, [...at, name], `The setting ${name} ${of} cannot be used; ${effect}`)
  }
  return values
}

/**
 * The file with these settings. All else stays as it is written: comments, order, keys that are not known. Null when nothing is left
 * that needs a file, undefined when nothing changes.
 */
export function changedSettingsFile<Section extends string>(
  text: string | undefined,
  changes: readonly SettingsChange<Section>[],
  schemas: SettingSchemas<Section>,
): string | null | undefined {
  const mark = text?.startsWith('\ufeff') ? '\ufeff' : ''
  const yaml = text?.slice(mark.length) ?? ''
  const parsed = parseYaml(yaml)
  const before = parsed.ok && isValues(parsed.value) ? parsed.value : {}
  const { edits, after } = editsOf(before, changes, schemas)
  if (edits.length === 0) return undefined
  if (Object.keys(after).every(name => name === 'version')) return text === undefined ? undefined : null
  if (text === undefined) return comment + stringify({ ...format, ...after }, { lineWidth: 0 })
  return mark + (editYaml(yaml, edits) ?? writtenAnew(yaml, edits))
}

type Values = Record<string, unknown>

/** The edits that make these changes, and what the file has then. A part that loses its last entry goes with it. */
function editsOf<Section extends string>(
  before: Values,
  changes: readonly SettingsChange<Section>[],
  schemas: SettingSchemas<Section>,
): { edits: YamlEdit[]; after: Values } {
  const after: Values = { ...before }
  const edits: YamlEdit[] = []
  for (const name of Object.keys(schemas) as Section[]) {
    const section = isValues(before[name]) ? before[name] : {}
    // A key is whatever an entry is called, `__proto__` for one.
    const next = new Map(Object.entries(section))
    const own: YamlEdit[] = []
    for (const { key, values } of changes.filter(change => change.section === name)) {
      const old = Object.hasOwn(section, key) ? section[key] : undefined
      const entry = isValues(old) ? old : {}
      const unknown = Object.entries(entry).filter(([field]) => !Object.hasOwn(schemas[name], field))
      const nextValues = { ...Object.fromEntries(unknown), ...values }
      if (Object.keys(nextValues).length === 0) next.delete(key)
      else next.set(key, nextValues)
      own.push(...entryEdits([name, key], { entry: old, nextValues }))
    }
    if (own.length === 0) continue
    if (next.size === 0) delete after[name]
    else after[name] = Object.fromEntries(next)
    edits.push(...(after[name] === undefined ? [{ path: [name] as const, value: undefined }] : own))
  }
  return { edits, after }
}

function entryEdits(
  path: readonly [string, string],
  { entry, nextValues }: { entry: unknown; nextValues: Values },
): YamlEdit[] {
  if (Object.keys(nextValues).length === 0) return entry === undefined ? [] : [{ path, value: undefined }]
  if (!isValues(entry) || Object.keys(entry).length === 0) return [{ path, value: nextValues }]
  const names = [...new Set([...Object.keys(entry), ...Object.keys(nextValues)])]
  return names
    .filter(name => entry[name] !== nextValues[name])
    .map(name => ({ path: [...path, name] as const, value: nextValues[name] }))
}

function writtenAnew(yaml: string, edits: readonly YamlEdit[]): string {
  const document = parseDocument(yaml)
  if (!isMap(document.contents)) return comment + stringify({ ...format, ...valuesOf(edits) }, { lineWidth: 0 })
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, value)
  }
  return inLineEndingsOf(yaml, document.toString({ lineWidth: 0 }))
}

function valuesOf(edits: readonly YamlEdit[]): Values {
  const values: Record<string, Values> = {}
  for (const { path, value } of edits) (values[path[0]] ??= {})[path[1] ?? ''] = value
  return values
}
