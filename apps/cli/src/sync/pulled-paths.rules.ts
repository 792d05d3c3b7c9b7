import type { ContentState } from '@recto/repository-export'
import { isBelow, joinInside } from '@recto/repository-format'

/** The content at the last pull and now, with the paths that the last pull gave. */
export interface PulledContent {
  now: ContentState
  base: ContentState
  /** The path of each record in the folder, by its id. */
  paths: Readonly<Record<string, string>>
  root: string
}

/**
 * Finds the files of a folder under the names of records, path to id, for a first pull: nobody says that they are not the same, so that a
 * pull finds them equal, or in conflict.
 */
export function filesOfRecords(
  records: readonly { id: string; path: string }[],
  { files, root }: { files: { has(path: string): boolean }; root: string },
): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { id, path } of records) {
    const place = joinInside(root, path)
    if (place !== undefined && files.has(place) && !owners.has(place)) owners.set(place, id)
  }
  return owners
}

type Place = { id: string; path?: string | undefined; wantedPath?: string | undefined; hash?: string | undefined }

/**
 * Gives each record the path that the last pull gave it, unless the space has moved it since: a pull tells the space nothing of the paths
 * that it chooses, such as a numbered one beside a file that the space does not know.
 */
export function withPulledPaths({ now, base, paths, root }: PulledContent): { now: ContentState; base: ContentState } {
  const placeOf = ({ path, wantedPath }: Place) => path ?? wantedPath
  const before = new Map([...base.pages, ...base.files, ...base.reusableContents].map(each => [each.id, placeOf(each)]))
  const pulledPath = (id: string) => {
    const path = Object.hasOwn(paths, id) ? paths[id] : undefined
    return path !== undefined && root !== '' && isBelow(path, root) ? path.slice(root.length + 1) : path
  }
  const place = <T extends Place>(record: T, isNow: boolean): T => {
    const path = pulledPath(record.id)
    const hasFile = record.path !== undefined || record.hash !== undefined
    const isMoved = isNow && before.get(record.id) !== placeOf(record)
    return path === undefined || !hasFile || isMoved ? record : { ...record, path }
  }
  const placeAll = (state: ContentState, isNow: boolean): ContentState => ({
    ...state,
    pages: state.pages.map(page => place(page, isNow)),
    files: state.files.map(file => place(file, isNow)),
    reusableContents: state.reusableContents.map(content => place(content, isNow)),
  })
  return { now: placeAll(now, true), base: placeAll(base, false) }
}
