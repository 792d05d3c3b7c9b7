import { sequenceHunks, type Hunk } from '@recto/markdown'

/** Lines that no version changed, or a part of the base with its lines in each version. */
export type Region<Side extends string> =
  | { lines: readonly string[] }
  | { base: readonly string[]; versions: Record<Side, readonly string[]>; changedBy: ReadonlySet<Side> }

/** The changes that form one region: overlapping ones, or also touching ones. Additions at one place always form one region. */
export type RegionRule = 'overlapping' | 'touching'

type SideHunk<Side> = Hunk & { side: Side }

/** Divides a text with several changed versions into regions, in their order. */
export function mergeRegions<Side extends string>(
  base: readonly string[],
  versions: Record<Side, readonly string[]>,
  rule: RegionRule,
): Region<Side>[] {
  const hunks = (Object.keys(versions) as Side[])
    .flatMap(side => sequenceHunks(base, versions[side]).map(hunk => ({ ...hunk, side })))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const regions: Region<Side>[] = []
  let at = 0
  for (let index = 0; index < hunks.length;) {
    const group = groupFrom(hunks, index, rule)
    const start = group[0]?.start ?? at
    const end = group.reduce((last, hunk) => Math.max(last, hunk.end), start)
    const changes = { base: base.slice(start, end), versions: { ...versions }, changedBy: new Set<Side>() }
    for (const side of Object.keys(versions) as Side[]) {
      const own = group.filter(hunk => hunk.side === side)
      const first = own[0]
      const last = own.at(-1)
      changes.versions[side] = changes.base
      if (!first || !last) continue
      changes.versions[side] = versions[side].slice(
        first.newStart - (first.start - start),
        last.newEnd + (end - last.end),
      )
      changes.changedBy.add(side)
    }
    regions.push({ lines: base.slice(at, start) }, changes)
    at = end
    index += group.length
  }
  return [...regions, { lines: base.slice(at) }]
}

/** Takes the hunks of one region, from an index on. */
function groupFrom<Side>(hunks: readonly SideHunk<Side>[], from: number, rule: RegionRule): SideHunk<Side>[] {
  const start = hunks[from]?.start ?? 0
  let end = hunks[from]?.end ?? start
  let to = from + 1
  const belongs = (next: number) => (rule === 'touching' ? next <= end : next < Math.max(end, start + 1))
  for (let next = hunks[to]; next && belongs(next.start); next = hunks[to]) {
    end = Math.max(end, next.end)
    to += 1
  }
  return hunks.slice(from, to)
}
