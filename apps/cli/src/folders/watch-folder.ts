import { watch, type FSWatcher } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toolFolders } from './folder-source.ts'

/** Milliseconds after an event until the folder is scanned: editors write in several steps. */
const settleMs = 40
/** Milliseconds between scans without an event, at least. */
const scanMs = 1_000
/** A scan takes at most this part of the time. */
const scanShare = 20
/** Entries that are watched; larger folders are scanned alone. */
const maxEntries = 20_000

interface Scan {
  folders: Set<string>
  /** The state of each entry. */
  signature: string
}

/**
 * Calls back when anything in a folder has changed: also in new folders, and when files are replaced by renaming. Events only hasten the
 * next scan, so an event that is lost delays a change and loses none.
 */
export function watchFolder(folder: string, onChange: () => Promise<void>): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let signature: string | undefined
  let isClosed = false
  let isScanning = false
  let isDirty = false

  const schedule = (milliseconds: number) => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => void look(), milliseconds)
  }
  const touch = () => {
    if (isScanning) isDirty = true
    else schedule(settleMs)
  }
  const look = async () => {
    isScanning = true
    isDirty = false
    const begun = performance.now()
    const scan = await scanFolder(folder)
    followFolders(watchers, scan.folders, touch)
    const isChanged = signature !== undefined && scan.signature !== signature
    signature = scan.signature
    if (isChanged && !isClosed) await onChange()
    isScanning = false
    if (isClosed) closeAll(watchers)
    else schedule(isDirty ? settleMs : Math.max(scanMs, (performance.now() - begun) * scanShare))
  }
  void look()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      closeAll(watchers)
    },
  }
}

function closeAll(watchers: Map<string, FSWatcher>): void {
  for (const watcher of watchers.values()) watcher.close()
  watchers.clear()
}

function followFolders(watchers: Map<string, FSWatcher>, folders: ReadonlySet<string>, touch: () => void): void {
  for (const [path, watcher] of watchers) {
    if (folders.has(path)) continue
    watcher.close()
    watchers.delete(path)
  }
  for (const path of folders) if (!watchers.has(path)) follow(watchers, path, touch)
}

/** A folder that cannot be watched, as one that is gone, is seen by scans alone. */
function follow(watchers: Map<string, FSWatcher>, path: string, touch: () => void): void {
  try {
    const watcher = watch(path, { persistent: true }, touch)
    watcher.on('error', () => {
      watcher.close()
      watchers.delete(path)
    })
    watchers.set(path, watcher)
  } catch {
    watchers.delete(path)
  }
}

async function scanFolder(folder: string): Promise<Scan> {
  const folders = new Set<string>()
  const states: string[] = []
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined && states.length < maxEntries; path = pending.pop()) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    folders.add(path)
    const nested = entries.filter(entry => entry.isDirectory() && !toolFolders.has(entry.name))
    pending.push(...nested.map(({ name }) => join(path, name)))
    states.push(...(await Promise.all(entries.map(({ name }) => stateOf(join(path, name))))))
  }
  return { folders, signature: states.toSorted().join('\n') }
}

async function stateOf(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined)
  if (!stat || stat.isDirectory()) return path
  return `${path} ${stat.mtimeMs} ${stat.size} ${stat.ino}`
}
