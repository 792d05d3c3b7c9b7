import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { conformance, type Conformance } from './mcp-client.ts'
import { aReferenceServer } from './mcp-reference.ts'

/** Scenarios that no server without sessions and streams passes, with what each of them needs. */
const impossible: Record<string, string> = {
  'tools-call-sampling': 'a request of the server to its client',
  'tools-call-elicitation': 'a request of the server to its client',
  'elicitation-sep1034-defaults': 'a request of the server to its client',
  'elicitation-sep1330-enums': 'a request of the server to its client',
  'logging-set-level': 'a session that keeps the level, and a stream for what is logged',
  'tools-call-with-logging': 'a stream: an answer is sent when it is whole',
  'tools-call-with-progress': 'a stream: an answer is sent when it is whole',
  'resources-subscribe': 'a session that keeps what is subscribed to',
  'resources-unsubscribe': 'a session that keeps what is subscribed to',
}
/** The suite skips what `server-sse-multiple-streams` asks of servers with sessions. */
// prettier-ignore
const possible = [
  'completion-complete', 'dns-rebinding-protection', 'ping', 'prompts-get-embedded-resource', 'prompts-get-simple',
  'prompts-get-with-args', 'prompts-get-with-image', 'prompts-list', 'resources-list',
  'resources-read-binary', 'resources-read-text', 'resources-templates-read', 'server-initialize',
  'server-sse-multiple-streams', 'tools-call-audio', 'tools-call-embedded-resource',
  'tools-call-error', 'tools-call-image', 'tools-call-mixed-content', 'tools-call-simple-text', 'tools-list',
]

let server: Awaited<ReturnType<typeof aReferenceServer>>
let figures: Conformance
beforeAll(async () => {
  server = await aReferenceServer()
  figures = await conformance(server.url)
})
afterAll(() => server.stop())

describe('the official conformance suite', () => {
  it('Our transport passes every scenario that a server without sessions and streams can', () =>
    expect(figures.passed).toEqual(possible))

  it('Our transport fails the other scenarios, and those alone', () =>
    expect(figures.failed).toEqual(Object.keys(impossible).toSorted()))
})
