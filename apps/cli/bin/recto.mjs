#!/usr/bin/env node
// npx recto <command>: the author's command, built when it is used first, or when its sources changed.
import { existsSync } from 'node:fs'

const buildScript = new URL('../../../scripts/build.mjs', import.meta.url)

try {
  // Builds say so where people look for progress: the output is the command's.
  if (existsSync(buildScript)) await (await import(buildScript)).build(line => process.stderr.write(`${line}\n`))
  await import(new URL('../../../dist/apps/cli/main.js', import.meta.url))
} catch (error) {
  process.stderr.write(`recto: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
