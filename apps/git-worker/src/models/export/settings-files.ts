import { isMap, parseDocument } from 'yaml'

type Values = Readonly<Record<string, string | number | boolean>>

interface Changed {
  now: Values
  before: Values
}

/** `.gitbook/vars.yaml` with the variables that changed; everything else stays as it is written. Undefined when nothing changes. */
export function changedVariables(text: string | undefined, variables: Changed): string | undefined {
  return withValues(text, changedKeys([], variables))
}

/** `.gitbook.yaml` with the redirects that changed, and another first page; everything else stays as it is written. Undefined when nothing changes. */
export function changedConfiguration(
  text: string | undefined,
  { redirects, readme }: { redirects: Changed; readme?: string },
): string | undefined {
  const home: [string[], string][] = readme === undefined ? [] : [[['structure', 'readme'], readme]]
  return withValues(text, [...home, ...changedKeys(['redirects'], redirects)])
}

type Change = [path: string[], value: string | number | boolean | undefined]

function changedKeys(path: string[], { now, before }: Changed): Change[] {
  const changed = Object.entries(now).filter(([key, value]) => before[key] !== value)
  const removed = Object.keys(before).filter(key => !Object.hasOwn(now, key))
  return [
    ...changed.map(([key, value]): Change => [[...path, key], value]),
    ...removed.map((key): Change => [[...path, key], undefined]),
  ]
}

/** A file that is not a map, or not YAML, stays as it is. */
function withValues(text: string | undefined, changes: Change[]): string | undefined {
  if (changes.length === 0) return undefined
  const document = parseDocument(text ?? '')
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return undefined
  for (const [path, value] of changes) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, value)
  }
  const written = document.toString({ lineWidth: 0 })
  return written === text ? undefined : written
}
