import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import {
  deleteOldBackups,
  listBackups,
  makeBackup,
  restoreBackup,
  verifyBackup,
  type Manifest,
  type NamedStore,
} from '@recto/backup'
import { createBlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { type CommandTools, type Installation, withInstallation } from './installation.ts'
import { createPrivateFolder } from './instance.ts'
import { withManagedDatabase } from './plan.ts'
import { secretsFile } from './secrets.ts'
import { runServiceCommand } from './service-command.ts'

/** Files of the data folder that a backup has too, unless they are left out. */
const secretFiles = ['secrets.json', 'admin-token']

/** `backup <folder> [--keep <number>] [--without-blobs] [--without-secrets]` */
export async function backup(args: string[], tools: CommandTools): Promise<void> {
  const { folder, values } = parseFolder(args, {
    keep: { type: 'string' },
    'without-blobs': { type: 'boolean' },
    'without-secrets': { type: 'boolean' },
  })
  const keep = parseCount(values.keep)
  await withStores(tools, { withoutBlobs: values['without-blobs'] }, async ({ databases, secrets, blobs }) => {
    const hasSecrets = secrets !== undefined && !values['without-secrets']
    const addFiles = (path: string) => (hasSecrets ? copySecrets(tools.config.dataDir, path) : Promise.resolve())
    const { name } = await makeBackup({ databases, blobs, folder, log: tools.print, addFiles })
    tools.print(`The backup ${name} is in ${folder}${hasSecrets ? '' : '; secrets are not part of it'}.`)
    if (keep === undefined) return
    const { backups, blobs: freed } = await deleteOldBackups(folder, keep)
    tools.print(`Deleted ${backups.length} older backups and ${freed} blobs.`)
  })
}

/** `restore <folder> [<name>] [--without-blobs]`: into an installation without data, whose processes do not run. */
export async function restore(args: string[], tools: CommandTools): Promise<void> {
  const { folder, name, values } = parseFolder(args, { 'without-blobs': { type: 'boolean' } })
  // Read twice, so that a damaged backup changes nothing.
  const manifest = await readVerified(folder, name)
  // An installation that is configured by URLs keeps its secrets elsewhere, and may have no data folder.
  if (withManagedDatabase(tools.table, tools.config).length > 0)
    await restoreSecrets(join(folder, manifest.name), tools.config.dataDir)
  if (tools.config.blobUrl === undefined) await createPrivateFolder(join(tools.config.dataDir, 'blobs'))
  const options = { withoutBlobs: values['without-blobs'], isNew: true }
  await withStores(tools, options, async ({ blobs, ...installation }) => {
    const migrate = (service: string, migrations: string[]) =>
      runServiceCommand({ service, args: ['migrate', ...migrations] }, { ...tools, installation })
    const { databases } = installation
    await restoreBackup({ databases, blobs, folder, name: manifest.name, migrate, log: tools.print })
    tools.print(`Restored ${manifest.name}, taken at ${manifest.takenAt}.`)
    // A backup of a version before webhooks has none.
    if (!manifest.databases.some(({ name }) => name === 'events')) return
    tools.print('Events that were under way are sent to webhooks again, with the same webhook-id:')
    await runServiceCommand({ service: 'events', args: ['deliveries'] }, { ...tools, installation })
  })
}

/** `verify <folder> [<name>]`: reads all of a backup. */
export async function verify(args: string[], { print }: CommandTools): Promise<void> {
  const { folder, name } = parseFolder(args, {})
  const manifest = await readVerified(folder, name)
  print(`${manifest.name} can be restored: ${summaryOf(manifest)}.`)
}

/** `backups <folder>`: lists them. */
export async function backups(args: string[], { print }: CommandTools): Promise<void> {
  const { folder } = parseFolder(args, {})
  const { finished, unfinished } = await listBackups(folder)
  for (const name of finished) print(name)
  for (const name of unfinished) print(`${name} (unfinished)`)
}

interface StoreOptions {
  withoutBlobs?: boolean | undefined
  isNew?: boolean
}

/** Opens the installation and its blobs for some work. */
async function withStores(
  tools: CommandTools,
  { withoutBlobs = false, isNew = false }: StoreOptions,
  work: (stores: Installation & { blobs: NamedStore[] | undefined }) => Promise<void>,
): Promise<void> {
  await withInstallation({ ...tools, isNew }, async installation => {
    const blobs = withoutBlobs ? undefined : openBlobs(installation, tools)
    await work({ ...installation, blobs }).finally(() => blobs?.forEach(({ store }) => store.close()))
  })
}

/** Opens the blobs of each process that has some. */
function openBlobs({ blobUrl }: Installation, { table }: CommandTools): NamedStore[] {
  if (blobUrl === undefined)
    throw new Failure('invalid_request', 'BLOB_URL must be set, or the blobs be left out with --without-blobs.')
  return table.flatMap(({ name, blobs }) => {
    if (blobs === undefined) return []
    const url = new URL(blobUrl)
    if (blobs !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}/${blobs}`
    return [{ name, store: createBlobStore({ url: url.href }) }]
  })
}

function summaryOf({ databases, blobs }: Manifest): string {
  const rows = databases.flatMap(({ tables }) => tables).reduce((sum, table) => sum + table.rows, 0)
  return `${databases.length} databases, ${rows} rows, ${blobs ? `${blobs.reduce((sum, { count }) => sum + count, 0)} blobs` : 'without blobs'}`
}

/** The manifest of a backup that can be restored; throws `conflict` with what is wrong. */
async function readVerified(folder: string, name: string | undefined): Promise<Manifest> {
  const { manifest, faults } = await verifyBackup(folder, name)
  if (faults.length > 0) throw new Failure('conflict', faults.join('\n'))
  return manifest
}

async function copySecrets(dataDir: string, folder: string): Promise<void> {
  const target = join(folder, 'secrets')
  await mkdir(target, { mode: 0o700 })
  for (const file of secretFiles) await copyIfThere(join(dataDir, file), join(target, file))
}

/** The secrets of a backup become those of a new data folder; those of a folder that has some stay. */
async function restoreSecrets(folder: string, dataDir: string): Promise<void> {
  if (existsSync(secretsFile(dataDir))) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const file of secretFiles) await copyIfThere(join(folder, 'secrets', file), join(dataDir, file))
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await copyFile(from, to)
}

function parseFolder<const Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }))
  const [folder, name, ...more] = positionals
  if (folder === undefined || more.length > 0)
    throw new Failure('invalid_request', 'The command must have a folder of backups as its argument.')
  return { folder: resolve(folder), name, values }
}

function parsed<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    throw new Failure('invalid_request', (error as Error).message)
  }
}

function parseCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new Failure('invalid_request', `--keep must be a number of at least 1, not "${text}".`)
}
