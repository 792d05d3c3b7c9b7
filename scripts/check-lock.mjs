// Fails when package-lock.json lacks a platform package that an installed package declares, or names a registry host.
import { readFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const faults = []
const platforms = /(linux|darwin)/

for (const [path, entry] of Object.entries(lock.packages)) {
  if (entry.resolved?.startsWith('http')) faults.push(`${path}: names a registry host`)
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (platforms.test(name) && !isLocked(path, name)) faults.push(`${path}: optional ${name} has no entry`)
  }
}

// Resolves as Node does: from the nearest node_modules above the dependent.
function isLocked(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (lock.packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true
    if (at === '') return false
  }
}

for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
