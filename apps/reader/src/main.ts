import { join } from 'node:path'
import { runProcess } from '@recto/service'
import { config } from './config.ts'
import { startReader } from './service.ts'

const settings = config()
// The bundle of this file is dist/apps/reader/main.js.
const folder = import.meta.dirname
export const ended = runProcess({
  name: 'reader',
  settings,
  start: tools =>
    startReader(settings, {
      ...tools,
      assetsFolder: join(folder, 'assets'),
      workerFile: () => join(folder, 'body-worker.js'),
    }),
})
