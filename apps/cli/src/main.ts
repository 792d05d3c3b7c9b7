import { program } from './program.ts'
import { plainMessage } from './terminal/plain-message.ts'
import { runCommand } from './terminal/run-command.ts'
import { createTerminal, watchStreams } from './terminal/terminal.ts'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

const terminal = createTerminal(process.stdout, process.stderr, interrupt.signal)
let lostOutput: Error | undefined
watchStreams(process.stdout, process.stderr, error => {
  lostOutput = error
  process.exitCode = 2
  terminal.note(`recto: ${plainMessage(error)}`)
  interrupt.abort()
})
export const ended = runCommand(program, process.argv.slice(2), terminal).then(code => {
  process.exitCode = lostOutput ? 2 : code
})
