import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitLimit } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { listenOn } from './http-server.ts'

const visitors = 800
const limitFile = '/proc/sys/net/core/somaxconn'
const systemLimit = existsSync(limitFile) ? Number(readFileSync(limitFile, 'utf8')) : 0
const isAllowed = systemLimit > visitors
if (!isAllowed) console.warn(`The system lets ${systemLimit} connections wait: ${visitors} at once were not tried`)

/** Connects so often to a port; prints how many connections there are once there are all, or after `waitLimit`. */
const connecting = `
const { connect } = require('node:net')
let count = 0
const end = () => { console.log(count); process.exit() }
setTimeout(end, ${waitLimit})
for (let at = 0; at < ${visitors}; at += 1)
  connect(Number(process.argv[1]), '127.0.0.1', () => { count += 1; if (count === ${visitors}) end() }).on('error', () => undefined)
`

;(isAllowed ? it : it.skip)('Hundreds of connections at once wait for a server that is busy', async () => {
  const server = createServer()
  await listenOn(server, { port: 0, host: '127.0.0.1' })
  try {
    const { port } = server.address() as AddressInfo
    // This process accepts none meanwhile, because it waits for the other one.
    const count = execFileSync(process.execPath, ['-e', connecting, String(port)], { encoding: 'utf8' })
    expect(Number(count)).toBe(visitors)
  } finally {
    server.close()
  }
})

it('A port that is in use is an error', async () => {
  const first = createServer()
  const second = createServer()
  await listenOn(first, { port: 0, host: '127.0.0.1' })
  const { port } = first.address() as AddressInfo
  await expect(listenOn(second, { port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  first.close()
})
