import { program } from './program.ts'
import { runCommand } from './terminal/run-command.ts'
import { createTerminal } from './terminal/terminal.ts'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

const terminal = createTerminal(process.stdout, process.stderr, interrupt.signal)
process.exitCode = await runCommand(program, process.argv.slice(2), terminal)
