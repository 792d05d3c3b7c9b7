import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity, stopProcess } from '@recto/embedded'
import { Failure } from '@recto/operation'

interface ProcessRecord {
  pid: number
  /** Tells the process from a later one with the same pid. */
  identity: string | undefined
}

interface RunRecord {
  launcher: ProcessRecord
  address: string
  children: Record<string, ProcessRecord>
}

/** The right to run on a data folder, and the record of what runs: `run.json`. */
export interface Instance {
  /** Notes a child, for the next start in case that this one is killed. */
  note(name: string, pid: number): Promise<void>
  release(): Promise<void>
}

/**
 * Takes the data folder: refuses when another launcher runs on it, and stops the processes that a dead one left.
 * Throws `conflict`.
 */
export async function takeInstance(dataDir: string, address: string): Promise<Instance> {
  await makePrivate(dataDir, process.getuid?.() === 0)
  const file = join(dataDir, 'run.json')
  const fresh = `${file}.${process.pid}`
  const record: RunRecord = {
    launcher: { pid: process.pid, identity: await processIdentity(process.pid) },
    address,
    children: {},
  }
  const save = async () => {
    await writeFile(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
    await rename(fresh, file)
  }
  await writeFile(fresh, JSON.stringify(record), { mode: 0o600 })
  try {
    // Linking fails when the file is there, so of two that start at once one wins.
    await link(fresh, file).catch(() => replaceDead(file, fresh))
  } finally {
    await rm(fresh, { force: true })
  }
  await save()
  let saving = Promise.resolve()
  const note = (name: string, pid: number) => {
    saving = saving.then(async () => {
      record.children[name] = { pid, identity: await processIdentity(pid) }
      await save()
    })
    return saving
  }
  const release = async () => {
    await saving.catch(() => {})
    await rm(file, { force: true })
  }
  return { note, release }
}

/**
 * Makes a folder that is for its owner only, also when it was there and was not. `isPassage`: others may go through it to
 * what is theirs; the PostgreSQL of a launcher of root runs as somebody else.
 */
export async function makePrivate(folder: string, isPassage = false): Promise<void> {
  const mode = isPassage ? 0o711 : 0o700
  await mkdir(folder, { recursive: true, mode })
  // Somebody else's folder stays as its owner wants it.
  await chmod(folder, mode).catch(() => {})
}

async function replaceDead(file: string, fresh: string): Promise<void> {
  const old = await readRecord(file)
  if (old && (await isAlive(old.launcher))) {
    throw new Failure(
      'conflict',
      `Recto runs already on this data folder, at ${old.address} (process ${old.launcher.pid}). Stop it first, or set DATA_DIR and PORT for a second one.`,
    )
  }
  for (const { pid } of await alive(Object.values(old?.children ?? {}))) await stopProcess(pid)
  await rm(file, { force: true })
  await link(fresh, file)
}

async function readRecord(file: string): Promise<RunRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function alive(records: ProcessRecord[]): Promise<ProcessRecord[]> {
  const flags = await Promise.all(records.map(isAlive))
  return records.filter((_, index) => flags[index])
}

async function isAlive({ pid, identity }: ProcessRecord): Promise<boolean> {
  return identity !== undefined && (await processIdentity(pid)) === identity
}
