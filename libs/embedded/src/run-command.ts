import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a command and resolves with its stdout; throws an `Error` with the last line of its stderr. Times out after 120 seconds. */
export async function runCommand(file: string, args: string[], options: { cwd?: string } = {}): Promise<string> {
  try {
    const { stdout } = await run(file, args, { ...options, timeout: 120_000 })
    return stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : ''
    throw new Error(`${file} ${args[0]} failed${said ? `: ${said}` : ''}`, { cause: error })
  }
}
