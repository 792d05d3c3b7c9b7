import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Record<string, string | undefined>

/** The variables that a process of Node needs of those of its parent, without any setting of a service. */
export function bareEnvironment(env: Environment = process.env): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG']
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** The settings of the commands that talk to an API. */
export interface AccountSettings {
  /** The file with the tokens of the caller. */
  credentialsFile: string
  /** `RECTO_TOKEN`, which wins over a saved token. */
  token: string | undefined
  /** `RECTO_URL`, which wins over the saved address. */
  url: string | undefined
}

/** Reads the settings of an account from the environment. */
export function accountSettings(env: Environment = process.env): AccountSettings {
  const folder = env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return {
    credentialsFile: join(folder, 'recto', 'credentials.json'),
    token: env['RECTO_TOKEN'] || undefined,
    url: env['RECTO_URL'] || undefined,
  }
}

/** The folder of results that a later command can use, and that anybody may delete. */
export function cacheFolder(env: Environment = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'recto')
}
