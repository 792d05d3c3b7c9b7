import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJson } from '@recto/text'
import { UsageFailure } from '../terminal/command.ts'
import { writePrivateFile } from '../terminal/private-file.ts'
import { Credentials, noCredentials } from './credentials.rules.ts'

/** Reads the saved credentials. Throws `UsageFailure` for a file that cannot be read. */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return noCredentials
  const result = Credentials.safeParse(parseJson(text))
  if (!result.success) throw new UsageFailure(`${file} cannot be read: delete it, and use \`recto login\``)
  return result.data
}

/** Writes credentials so that only their owner reads them. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await chmod(dirname(file), 0o700)
  await writePrivateFile(file, `${JSON.stringify(credentials, undefined, 2)}\n`)
}
