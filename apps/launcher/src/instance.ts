import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity, stopProcess } from '@recto/embedded'
import { Failure } from '@recto/operation'

interface ProcessRecord {
  pid: number
  /** Distinguishes the process from a later one with the same pid. */
  identity: string | undefined
}

interface RunRecord {
  launcher: ProcessRecord
  address: string
  children: Record<string, ProcessRecord>
}

/** The lock of a data folder and the record of its processes, `run.json`. */
export interface Instance {
  /** Records a child process, so that the next start stops it if this launcher is killed. */
  recordPid(name: string, pid: number): Promise<void>
  release(): Promise<void>
}

/**
 * Locks the data folder, and stops the processes that a killed launcher left running. Throws `conflict` when another launcher
 * runs on it.
 */
export async function acquireInstance(dataDir: string, address: string): Promise<Instance> {
  await createPrivateFolder(dataDir, process.getuid?.() === 0)
  const file = join(dataDir, 'run.json')
  const temporary = `${file}.${process.pid}`
  const record: RunRecord = {
    launcher: { pid: process.pid, identity: await processIdentity(process.pid) },
    address,
    children: {},
  }
  const save = async () => {
    await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, file)
  }
  await writeFile(temporary, JSON.stringify(record), { mode: 0o600 })
  try {
    // Linking fails when the file exists, so only one of two concurrent starts succeeds.
    await link(temporary, file).catch(() => replaceStaleRecord(file, temporary))
  } finally {
    await rm(temporary, { force: true })
  }
  await save()
  let saving = Promise.resolve()
  const recordPid = (name: string, pid: number) => {
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
  return { recordPid, release }
}

/**
 * Creates a folder that only its owner can access, or restricts an existing one. With `isTraversable`, other users may pass
 * through it: PostgreSQL runs as another user when the launcher runs as root.
 */
export async function createPrivateFolder(folder: string, isTraversable = false): Promise<void> {
  const mode = isTraversable ? 0o711 : 0o700
  await mkdir(folder, { recursive: true, mode })
  // The mode of another user's folder cannot be changed.
  await chmod(folder, mode).catch(() => {})
}

async function replaceStaleRecord(file: string, temporary: string): Promise<void> {
  const old = await readRecord(file)
  if (old && (await isAlive(old.launcher))) {
    throw new Failure(
      'conflict',
      `Recto runs already on this data folder, at ${old.address} (process ${old.launcher.pid}). Stop it first, or set DATA_DIR and PORT for a second one.`,
    )
  }
  for (const { pid } of await filterAlive(Object.values(old?.children ?? {}))) await stopProcess(pid)
  await rm(file, { force: true })
  await link(temporary, file)
}

async function readRecord(file: string): Promise<RunRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function filterAlive(records: ProcessRecord[]): Promise<ProcessRecord[]> {
  const flags = await Promise.all(records.map(isAlive))
  return records.filter((_, index) => flags[index])
}

async function isAlive({ pid, identity }: ProcessRecord): Promise<boolean> {
  return identity !== undefined && (await processIdentity(pid)) === identity
}
