import { mergeRegions } from '../documents/merge-regions.rules.ts'
import { canonicalJson } from '../content-map/content-map.ts'

/** Three versions of a value: as the last run wrote it, as it is now, and as this run would write it. */
export interface Versions<Value> {
  base: Value
  edited: Value
  machine: Value
}

const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)

/** The edited value if somebody edited it, else that of the run. */
export function mergedValue<Value>({ base, edited, machine }: Versions<Value>): Value {
  return same(edited, base) ? machine : edited
}

/** Fields that mean something only together. */
const together: Record<string, string> = { order: 'parent' }

/** Merges a record field by field: edits of people stay, the rest is from the run. `skip` names fields that are merged elsewhere. */
export function mergedRecord<Row extends object>(versions: Versions<Row>, skip: readonly string[] = []): Row {
  const { base, edited, machine } = versions as Versions<Record<string, unknown>>
  const isEdited = (name: string) => !same(edited[name], base[name])
  const names = new Set([...Object.keys(edited), ...Object.keys(machine)])
  const fields = Array.from(names, (name): [string, unknown] => {
    const isKept = skip.includes(name) || isEdited(name) || isPartnerEdited(name)
    return [name, isKept ? edited[name] : machine[name]]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Row

  function isPartnerEdited(name: string): boolean {
    return Object.entries(together).some(
      ([one, other]) => (one === name && isEdited(other)) || (other === name && isEdited(one)),
    )
  }
}

/** A merged text, with the edited texts that it has in place of those of the run. */
export interface MergedTokens {
  tokens: string[]
  kept: string[]
}

/**
 * Merges a page as a sequence of texts and of the syntax between them, so that an edit keeps its text and not the whole page. An edit wins
 * over the run where both change the same.
 */
export function mergeTokens({ base, ...versions }: Versions<readonly string[]>): MergedTokens {
  const tokens: string[] = []
  const keptTexts: string[] = []
  for (const region of mergeRegions(base, versions, 'overlapping')) {
    if ('lines' in region) {
      tokens.push(...region.lines)
      continue
    }
    const { edited, machine } = region.versions
    const isEdited = region.changedBy.has('edited')
    tokens.push(...(isEdited ? edited : machine))
    if (isEdited && edited.join('') !== machine.join('')) keptTexts.push(edited.join(''))
  }
  return { tokens, kept: keptTexts.filter(text => text.trim() !== '') }
}
