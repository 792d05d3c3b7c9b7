import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** The folder for git's inputs: in memory (/dev/shm) where the system has it. */
export const scratchRoot = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The environment of native git: no configuration and no hooks of the current user, and messages in English. */
export function gitEnvironment(more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
    ...more,
  }
}
