import { lineHunks } from '../../pages/line-hunks.rules.ts'
import { canonicalJson } from '../../store/content-map/content-map.ts'

/** Three versions of something: what the last run wrote, what it is now, and what this run would write. */
export interface Versions<Value> {
  base: Value
  edited: Value
  machine: Value
}

const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)

/** The value of somebody's edit, where there is one. */
export function mergedValue<Value>({ base, edited, machine }: Versions<Value>): Value {
  return same(edited, base) ? machine : edited
}

/** Fields that mean something only together. */
const together: Record<string, string> = { order: 'parent' }

/** A record field by field: what people changed stays, and the rest is what the run writes. `skip` names fields that are merged elsewhere. */
export function mergedRecord<Row extends object>(versions: Versions<Row>, skip: readonly string[] = []): Row {
  const { base, edited, machine } = versions as Versions<Record<string, unknown>>
  const isEdited = (name: string) => !same(edited[name], base[name])
  const names = new Set([...Object.keys(edited), ...Object.keys(machine)])
  const fields = Array.from(names, (name): [string, unknown] => {
    const kept = skip.includes(name) || isEdited(name) || isPartnerEdited(name)
    return [name, kept ? edited[name] : machine[name]]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Row

  function isPartnerEdited(name: string): boolean {
    return Object.entries(together).some(
      ([one, other]) => (one === name && isEdited(other)) || (other === name && isEdited(one)),
    )
  }
}

/** A merged text, with the texts of people that stand in it in place of those that the run would write. */
export interface MergedTokens {
  tokens: string[]
  kept: string[]
}

interface SideHunk {
  start: number
  end: number
  newStart: number
  newEnd: number
  side: 'edited' | 'machine'
}

/**
 * Merges a page in turns of what stands between texts, and texts: so an edit keeps its text, and not its page. Where both an edit and the run
 * change the same, the edit stays.
 */
export function mergeTokens({ base, edited, machine }: Versions<readonly string[]>): MergedTokens {
  const hunks = (['edited', 'machine'] as const)
    .flatMap(side => lineHunks(base, side === 'edited' ? edited : machine).map(hunk => ({ ...hunk, side })))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const tokens: string[] = []
  const kept: string[] = []
  let at = 0
  for (let from = 0; from < hunks.length;) {
    const group = touching(hunks, from)
    from += group.length
    const start = group[0]?.start ?? 0
    const end = Math.max(...group.map(hunk => hunk.end))
    tokens.push(...base.slice(at, start))
    at = end
    const [written, machineText] = [versionOf('edited'), versionOf('machine')]
    const isEdited = group.some(({ side }) => side === 'edited')
    tokens.push(...(isEdited ? written : machineText))
    if (isEdited && written.join('') !== machineText.join('')) kept.push(written.join(''))

    function versionOf(side: SideHunk['side']): readonly string[] {
      const own = group.filter(hunk => hunk.side === side)
      const [first, last] = [own[0], own.at(-1)]
      if (!first || !last) return base.slice(start, end)
      const all = side === 'edited' ? edited : machine
      return all.slice(first.newStart - (first.start - start), last.newEnd + (end - last.end))
    }
  }
  return { tokens: [...tokens, ...base.slice(at)], kept: kept.filter(text => text.trim() !== '') }
}

/** The hunks from an index on that overlap or touch each other. */
function touching(hunks: readonly SideHunk[], from: number): SideHunk[] {
  let end = hunks[from]?.end ?? 0
  let to = from + 1
  for (let next = hunks[to]; next && next.start < Math.max(end, (hunks[from]?.start ?? 0) + 1); next = hunks[to]) {
    end = Math.max(end, next.end)
    to += 1
  }
  return hunks.slice(from, to)
}
