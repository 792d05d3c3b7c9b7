import { runProcess } from '@recto/service'
import { config } from './config.ts'
import { startGitWorker } from './service.ts'

const settings = config()
await runProcess({ name: 'git-worker', settings, start: tools => startGitWorker(settings, tools) })
