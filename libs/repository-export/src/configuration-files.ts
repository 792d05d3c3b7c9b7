import { cleanTexts, editYaml, inLineEndingsOf, type YamlEdit } from '@recto/markdown'
import { isMap, parseDocument, type Document } from 'yaml'

type Values = Readonly<Record<string, string | number | boolean>>

interface ValuesChange {
  now: Values
  before: Values
}

/** Updates the changed variables in `.gitbook/vars.yaml`; all else stays byte for byte. Undefined when nothing changes. */
export function updateVariables(text: string | undefined, variables: ValuesChange): string | undefined {
  return applyEdits(text, editsOf(variables))
}

/** Updates the changed redirects, and the first page, in `.gitbook.yaml`; all else stays byte for byte. Undefined when nothing changes. */
export function updateConfiguration(
  text: string | undefined,
  { redirects, readme }: { redirects: ValuesChange; readme?: string },
): string | undefined {
  const home: YamlEdit[] = readme === undefined ? [] : [{ path: ['structure', 'readme'], value: readme }]
  return applyEdits(text, [...home, ...editsOf(redirects, key => ['redirects', key])])
}

function editsOf({ now, before }: ValuesChange, pathOf: (key: string) => YamlEdit['path'] = key => [key]): YamlEdit[] {
  const changed = Object.entries(now).filter(([key, value]) => before[key] !== value)
  const removed = Object.keys(before).filter(key => !Object.hasOwn(now, key))
  return [
    ...changed.map(([key, value]) => ({ path: pathOf(key), value })),
    ...removed.map(key => ({ path: pathOf(key), value: undefined })),
  ]
}

/** Edits lines where possible; else the whole YAML is written again, with its comments. A file that is not a YAML map stays as it is. */
function applyEdits(text = '', edits: YamlEdit[]): string | undefined {
  if (edits.length === 0) return undefined
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const yaml = text.slice(mark.length)
  const document = parseDocument(yaml)
  cleanTexts(document)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined
  const nextText = mark + (editYaml(yaml, edits) ?? rewriteYaml(document, edits, yaml))
  return nextText === text ? undefined : nextText
}

function rewriteYaml(document: Document.Parsed, edits: YamlEdit[], sample: string): string {
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, value)
  }
  return inLineEndingsOf(sample, document.toString({ lineWidth: 0 }))
}
