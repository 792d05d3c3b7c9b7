import { cleanTexts, editYaml, inLineEndingsOf, type YamlEdit } from '@recto/markdown'
import { isMap, parseDocument, type Document } from 'yaml'

type Values = Readonly<Record<string, string | number | boolean>>

interface Changed {
  now: Values
  before: Values
}

/** `.gitbook/vars.yaml` with the variables that changed; everything else stays as it is written. Undefined when nothing changes. */
export function changedVariables(text: string | undefined, variables: Changed): string | undefined {
  return withValues(text, changedKeys(variables))
}

/** `.gitbook.yaml` with the redirects that changed, and another first page; everything else stays as it is written. Undefined when nothing changes. */
export function changedConfiguration(
  text: string | undefined,
  { redirects, readme }: { redirects: Changed; readme?: string },
): string | undefined {
  const home: YamlEdit[] = readme === undefined ? [] : [{ path: ['structure', 'readme'], value: readme }]
  return withValues(text, [...home, ...changedKeys(redirects, key => ['redirects', key])])
}

function changedKeys({ now, before }: Changed, pathOf: (key: string) => YamlEdit['path'] = key => [key]): YamlEdit[] {
  const changed = Object.entries(now).filter(([key, value]) => before[key] !== value)
  const removed = Object.keys(before).filter(key => !Object.hasOwn(now, key))
  return [
    ...changed.map(([key, value]) => ({ path: pathOf(key), value })),
    ...removed.map(key => ({ path: pathOf(key), value: undefined })),
  ]
}

/** A file that is not a map, or not YAML, stays as it is. What lines cannot say is written anew, with its comments. */
function withValues(text = '', edits: YamlEdit[]): string | undefined {
  if (edits.length === 0) return undefined
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const yaml = text.slice(mark.length)
  const document = parseDocument(yaml)
  cleanTexts(document)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined
  const written = mark + (editYaml(yaml, edits) ?? writtenAnew(document, edits, yaml))
  return written === text ? undefined : written
}

function writtenAnew(document: Document.Parsed, edits: YamlEdit[], sample: string): string {
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, value)
  }
  return inLineEndingsOf(sample, document.toString({ lineWidth: 0 }))
}
