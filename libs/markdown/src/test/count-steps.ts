import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'

/** Reads texts in a thread that counts how often each block of code runs, from before the code is loaded. */
const program = `
const { parentPort, workerData: { file, texts, steps } } = require('node:worker_threads')
const { Session } = require('node:inspector/promises')
const run = async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const library = require(file)
  const prepare = new Function('library', 'text', steps.prepare)
  const runSteps = new Function('library', 'input', steps.run)
  const count = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const functions = result.filter(({ url }) => url.endsWith(file)).flatMap(script => script.functions)
    return functions.flatMap(({ ranges }) => ranges).reduce((sum, range) => sum + range.count, 0)
  }
  const counts = []
  for (const text of texts) {
    const input = prepare(library, text)
    await count()
    runSteps(library, input)
    counts.push(await count())
  }
  session.disconnect()
  parentPort.postMessage(counts)
}
run()
`

/** Code of the thread, with `library` in it: what is not counted returns the `input` of what is. */
export interface CountedSteps {
  prepare: string
  run: string
}

/** Reads a text as a document and as an outline. */
const reading: CountedSteps = {
  prepare: 'return text',
  run: "library.toDocument(input, { reference: url => ({ kind: 'url', url }) }); library.readOutline(input)",
}

/** How many steps it takes to read each text: how often the blocks of code run, which no load changes. */
export async function countSteps(texts: string[], steps = reading): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-steps-'))
  const file = join(folder, 'markdown.cjs')
  try {
    const entry = join(import.meta.dirname, '../index.ts')
    await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: file,
      logLevel: 'error',
    })
    return await new Promise((resolve, reject) => {
      const worker = new Worker(program, {
        eval: true,
        workerData: { file, texts, steps },
        resourceLimits: { stackSizeMb: 64 },
      })
      worker.once('message', resolve).once('error', reject)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
