import { Agent, request } from 'node:http'

/** The pages that visitors who come at the same time read. */
export interface Visits {
  /** Open connections, each of a visitor who asks for one page after the other. */
  visitors: number
  pagesOfEach: number
  urls: readonly string[]
  token?: string | undefined
}

/** Milliseconds until each answer begins to arrive; throws when one is no success. */
export async function firstBytes({ visitors, pagesOfEach, urls, token }: Visits): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const headers = {
    'accept-encoding': 'gzip, deflate, br',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const times: number[] = []
  const visit = async (visitor: number) => {
    for (let page = 0; page < pagesOfEach; page += 1) {
      const url = urls[(visitor + page * visitors) % urls.length] ?? ''
      times.push(await firstByte(url, { agent, headers }))
    }
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  agent.destroy()
  return times
}

function firstByte(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    request(url, options, response => {
      const ms = performance.now() - started
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.on('error', reject).on('end', () => resolve(ms))
      response.resume()
    })
      .on('error', reject)
      .end()
  })
}
