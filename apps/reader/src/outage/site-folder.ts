import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const SiteFile = z.object({
  organization: z.string(),
  id: z.string().regex(/^[\w-]{1,100}$/),
  /** The addresses at which the site begins. */
  roots: z.array(z.url()).max(20),
  askedAt: z.number(),
  /** The state of the site whose addresses were all walked. */
  walked: z.string().optional(),
})

/** A kept site without its replies. */
export type StoredSite = z.output<typeof SiteFile>

/** A reply on disk. */
export interface Entry {
  size: number
  at: number
  hash?: string
  version?: string
  /** Whether the process has read all of it as it was written. */
  isChecked?: boolean
}

/** Bytes that a file takes at least: disks count blocks. */
const block = 4_096
const entryName = /^[svpcrf][\w-]{43}$/

/** The file that says which site a folder is of. */
export const siteFile = 'site.json'

/** The bytes that a file takes on disk, nearly. */
export function sizeOnDisk(size: number): number {
  return Math.ceil(size / block) * block
}

/** Removes the folder of a site: at once, and then what was in it. */
export async function removeFolder(folder: string, site: string): Promise<void> {
  const gone = join(folder, `.gone-${site}-${Date.now()}`)
  await rename(join(folder, site), gone)
  await rm(gone, { recursive: true, force: true })
}

/** Reads what is kept of a site; what an earlier process left half is removed. Undefined for a folder that is no site. */
export async function readSiteFolder(
  folder: string,
  name: string,
): Promise<{ site: StoredSite; entries: Map<string, Entry> } | undefined> {
  const path = join(folder, name)
  if (name.startsWith('.gone-')) return void (await rm(path, { recursive: true, force: true }))
  const text = await readFile(join(path, siteFile), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const site = parseSite(text)
  if (site?.id !== name) return void (await rm(path, { recursive: true, force: true }))
  const entries = new Map<string, Entry>()
  for (const file of await readdir(path)) {
    if (file.endsWith('.tmp')) await rm(join(path, file), { force: true })
    if (!entryName.test(file)) continue
    const { size, mtimeMs } = await stat(join(path, file))
    entries.set(file, { size: sizeOnDisk(size), at: mtimeMs })
  }
  return { site, entries }
}

function parseSite(text: string): StoredSite | undefined {
  try {
    return SiteFile.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
