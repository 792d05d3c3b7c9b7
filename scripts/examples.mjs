// npm run examples: records a request and a reply of every operation, as the test of roles sends and gets them, and puts them into
// openapi.json. Run it when an operation is new or its reply has changed.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../e2e', import.meta.url))
const file = fileURLToPath(new URL('../apps/gateway/src/api-reference/examples.json', import.meta.url))
const jest = ['../node_modules/jest/bin/jest.js', '--config', '../jest/e2e.config.mjs', 'roles']
const { status } = spawnSync(process.execPath, jest, {
  cwd: folder,
  env: { ...process.env, EXAMPLES_FILE: file },
  stdio: 'inherit',
})
if (status === 0) await import('./openapi.mjs')
else process.exitCode = 1
