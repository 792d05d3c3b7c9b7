import { request } from 'node:http'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { HtmlValidate } from 'html-validate'
import { eventually, type ChatEngine } from '@recto/testing'
import { sendOk } from './people.ts'
import { visitorJwt } from './reader.ts'
import { aPublishedSite, aSpace, ask, type Answer, type ReaderSites } from './reader-sites.ts'

/** The address of the page of questions below a site. */
export const askPath = '~recto/ask'
const question = 'How is the quagga fed?'

const pages = [
  ['Feeding', 'The quagga eats grass.\n\n## At night\n\nA quagga sleeps and is fed nothing.'],
  ['Stables', 'Zebras live elsewhere.'],
] as const

/** The mode of answers in the customization of a site. */
export type AskMode = 'none' | 'search' | 'assistant'

/** Sets whether a site answers questions, with questions to begin with. */
export async function setAskMode(
  { admin, organizationId }: ReaderSites,
  siteId: string,
  { mode, suggestions = [] }: { mode: AskMode; suggestions?: string[] },
): Promise<void> {
  const { orgs } = admin.client
  const settings = (await orgs.getSiteCustomizationById(organizationId, siteId)).data
  const ai = { mode, ...(suggestions.length > 0 && { suggestions }) }
  await orgs.updateSiteCustomizationById(organizationId, siteId, { ...settings, ai } as never)
}

/** Creates a site that answers questions; resolves when it answers. */
export async function aSiteForQuestions(sites: ReaderSites): Promise<{ siteId: string; name: string }> {
  const changes = pages.map(([title, text]) => {
    return { operation: 'insert_page', title, document: { markdown: `# ${title}\n\n${text}\n` } }
  })
  const space = await aSpace(sites, 'Quaggas', changes)
  const site = await aPublishedSite(sites, { title: 'Quaggas', spaces: [space] })
  await setAskMode(sites, site.siteId, { mode: 'search', suggestions: ['What is a quagga?'] })
  await eventually(async () => expect((await ask(`${sites.reader}/${site.name}/${askPath}`)).status).toBe(200))
  return site
}

interface Suite {
  sitesOf: () => ReaderSites
  engineOf: () => ChatEngine
}

interface Place extends Suite {
  siteOf: () => { siteId: string; name: string }
  /** An address of the site. */
  at: (path?: string) => string
}

/** Asks as a form does, or as a script does. */
const post = (url: string, text: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ q: text }).toString(),
  })

const asScript = { accept: 'text/event-stream' }
const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map(event => JSON.parse(event.replace(/^data: /, '')) as { html: string; isLast: boolean })

/** The page of a site on which visitors ask questions. */
export function questionsToSites(suite: Suite): void {
  let site = { siteId: '', name: '' }
  const place = {
    ...suite,
    siteOf: () => site,
    at: (path = askPath) => `${suite.sitesOf().reader}/${site.name}/${path}`,
  }
  describe('questions to sites', () => {
    beforeAll(async () => void (site = await aSiteForQuestions(suite.sitesOf())))
    for (const part of [opening, forms, refusals, streams, faults, closedSites, switchedOff]) part(place)
  })
}

function opening({ siteOf, engineOf, at }: Place): void {
  describe('the page of questions of a site', () => {
    it('is reached from every page, costs nothing to open, and is neither found nor kept', async () => {
      const before = engineOf().requests.length
      const feeding = await ask(at('feeding'))
      expect(feeding.text).toMatch(new RegExp(`<a class="ask-link" href="/${siteOf().name}/${askPath}" rel="nofollow"`))
      expect(feeding.text).toMatch(/<script type="module" nonce="[^"]+" src="[^"]+\/ask\.js">/)
      const { status, text, headers } = await ask(at(`${askPath}?q=Is+it+so%3F`))
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-store, no-transform'])
      expect(text).toContain('<meta name="robots" content="noindex"')
      expect(text).toContain('value="Is it so?"')
      expect(text).toContain('What is a quagga?')
      expect((await ask(at('robots.txt'))).text).toContain('Disallow: /*~recto/ask')
      expect((await ask(at('~recto/search?q=quagga'))).text).toContain('Ask “quagga”')
      expect(engineOf().requests.length).toBe(before)
    })
  })
}

function forms({ siteOf, engineOf, at }: Place): void {
  describe('a question of a form without a script', () => {
    it('is answered, with sources and further questions', async () => {
      const { status, text, headers } = await post(at(), question)
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-store, no-transform'])
      expect(text).toContain(`<h2>${question}</h2>`)
      expect(text).toContain('>It is so.</p>')
      expect(text).toMatch(new RegExp(`<a href="/${siteOf().name}/feeding"><strong>Feeding</strong>`))
      expect(text).toContain('name="q" value="And then?"')
    })

    it('for which nothing is found is told so, without the engine', async () => {
      const before = engineOf().requests.length
      const { status, text } = await post(at(), 'xylophone?')
      expect(status).toBe(200)
      expect(text).toContain('No page answers this question.')
      expect(text).not.toContain('I do not know')
      expect(engineOf().requests.length).toBe(before)
    })

    it('that is too long is told the limit, and stays in its field', async () => {
      const long = 'so '.repeat(200).trim()
      const { status, text } = await post(at(), long)
      expect([status, text.includes(`value="${long}"`)]).toEqual([400, true])
      expect(text).toContain('at most 512 characters')
    })
  })
}

function refusals({ engineOf, at }: Place): void {
  describe('the page of questions', () => {
    it.each([{ origin: 'https://elsewhere.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
      'takes no question of a page elsewhere: %j',
      async headers => {
        const before = engineOf().requests.length
        expect((await post(at(), question, headers as Record<string, string>)).status).toBe(403)
        expect(engineOf().requests.length).toBe(before)
      },
    )
  })
}

function streams({ engineOf, at }: Place): void {
  describe('an answer to a script', () => {
    it('comes as events while it is written, the last one with its end', async () => {
      const { status, text, headers } = await post(at(), question, asScript)
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
      const events = eventsOf(text)
      expect(events.length).toBeGreaterThan(1)
      expect(events.map(({ isLast }) => isLast)).toEqual([...events.slice(1).map(() => false), true])
      expect(events[0]?.html).not.toContain('Sources')
      expect(events.at(-1)?.html).toContain('<strong>Feeding</strong>')
    })

    it('is shown before the engine has ended, and ends the engine when the visitor goes', async () => {
      const engine = engineOf()
      // The exchanges of other tests have ended.
      await eventually(() => expect(engine.open).toBe(0))
      const { aborted } = engine
      let release = () => undefined as void
      engine.hold = new Promise<void>(resolve => (release = resolve))
      try {
        await leaveAfterFirstEvent(at(), question)
        await eventually(() => expect(engine.aborted).toBe(aborted + 1))
      } finally {
        engine.hold = undefined
        release()
      }
    })
  })
}

function faults({ engineOf, at }: Place): void {
  it.each(['breaks off', 'fails', 'refuses', 'is no stream'] as const)(
    'a visitor is told when the engine %s, with a script and without one',
    async mode => {
      const engine = engineOf()
      engine.mode = mode
      try {
        const { status, text } = await post(at(), question)
        expect([status, text.includes('The answer could not be written.')]).toEqual([503, true])
        const events = eventsOf((await post(at(), question, asScript)).text)
        expect(events.at(-1)).toMatchObject({ isLast: true, html: expect.stringContaining('could not be written') })
      } finally {
        engine.mode = 'answers'
      }
    },
  )
}

/** Visitors are asked for with their own token, as for pages. */
function closedSites({ sitesOf, engineOf }: Place): void {
  it('an answer is from what the visitor sees who asks, and who has not logged in gets none', async () => {
    const { closed, reader, stack, admin, organizationId } = sitesOf()
    const path = `/orgs/${organizationId}/sites/${closed.siteId}/publishing/auth`
    const { privateKey } = await sendOk<{ privateKey: string }>(stack, admin, { method: 'GET', path })
    await setAskMode(sitesOf(), closed.siteId, { mode: 'assistant' })
    const url = `${reader}/${closed.name}/${askPath}`
    const promptFor = async (claims: object): Promise<string | undefined> => {
      const cookie = `recto-visitor=${visitorJwt(privateKey, claims)}`
      await eventually(async () => expect((await ask(url, { headers: { cookie } })).status).toBe(200))
      const { status, text } = await post(url, 'What is for visitors?', { cookie })
      expect([status, text]).toEqual([200, expect.stringContaining('Sources')])
      return engineOf().prompts.at(-1)
    }
    expect(await promptFor({ beta: true })).toContain('The beta is open.')
    const plain = await promptFor({})
    expect(plain).toContain('for visitors.')
    expect(plain).not.toContain('The beta is open.')
    const before = engineOf().requests.length
    expect((await post(url, 'What is for visitors?')).status).toBe(307)
    expect(engineOf().requests.length).toBe(before)
  })

  it('a site behind a secret link answers who has the link, at its address', async () => {
    const { shared, reader } = sitesOf()
    await setAskMode(sitesOf(), shared.siteId, { mode: 'search' })
    const url = `${reader}/${shared.name}/${shared.key}/${askPath}`
    await eventually(async () => expect((await ask(url)).status).toBe(200))
    const { text } = await post(url, 'What is for friends?')
    expect(text).toMatch(new RegExp(`<a href="/${shared.name}/${shared.key}/[^"]*"><strong>(Draft|Next)</strong>`))
    expect((await post(`${reader}/${shared.name}/${askPath}`, 'What is for friends?')).status).toBe(404)
  })
}

function switchedOff({ sitesOf, siteOf, at }: Place): void {
  it('a site that answers no questions has neither the page nor a link or script for it', async () => {
    await setAskMode(sitesOf(), siteOf().siteId, { mode: 'none' })
    await eventually(async () => expect((await ask(at())).status).toBe(404))
    await eventually(async () => expect((await ask(at('feeding'))).text).not.toMatch(/~recto\/ask|ask\.js|ask-link/))
    expect((await post(at(), question)).status).toBe(404)
    expect((await ask(at('~recto/search?q=quagga'))).text).not.toContain('Ask “')
  })
}

/** Asks as a script does, and goes when the first event is there. */
function leaveAfterFirstEvent(url: string, text: string): Promise<void> {
  const headers = { ...asScript, 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, response => {
      response.once('data', () => {
        response.destroy()
        resolve()
      })
    })
    sent.on('error', reject)
    sent.end(new URLSearchParams({ q: text }).toString())
  })
}

/** Questions to sites of an installation that has no engine. */
export function questionsWithoutEngine(sitesOf: () => ReaderSites, validator: HtmlValidate): void {
  it('a visitor is told that no engine answers a question, which stays in its field', async () => {
    const { docs, reader } = sitesOf()
    const url = `${reader}/${docs.name}/${askPath}`
    await setAskMode(sitesOf(), docs.siteId, { mode: 'search' })
    await eventually(async () => expect((await ask(url)).status).toBe(200))
    const { status, text } = await post(url, 'How so?')
    expect([status, text.includes('value="How so?"')]).toEqual([409, true])
    expect(text).toContain('Questions are not answered here at the moment.')
    const { results } = await validator.validateString(text)
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual(
      [],
    )
    await setAskMode(sitesOf(), docs.siteId, { mode: 'none' })
    await eventually(async () => expect((await ask(url)).status).toBe(404))
  })
}
