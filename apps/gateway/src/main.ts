import { runProcess } from '@recto/service'
import { config } from './config.ts'
import { startGateway } from './service.ts'

const settings = config()
export const ended = runProcess({ name: 'gateway', settings, start: tools => startGateway(settings, tools) })
