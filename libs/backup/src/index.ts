export {
  makeBackup,
  restoreBackup,
  verifyBackup,
  type BackupOptions,
  type NamedStore,
  type RestoreOptions,
} from './backup.ts'
export { deleteOldBackups, listBackups } from './folder.ts'
export type { DatabaseCopy, Manifest, TableCopy } from './manifest.ts'
export type { Database } from './sessions.ts'
