import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { publishingApi } from '@recto/contracts-publishing'
import { replySchemas } from '@recto/testing'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'
import * as repository from './agent-feedback.repository.ts'

const schemas = replySchemas()

let publishing: PublishingSetup
let params: { organizationId: string; siteId: string }
let space: string
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())
beforeEach(async () => {
  space = publishing.content.aSpace('Manual')
  const site = await publishing.as('create').createSite({
    params: { organizationId: organization },
    body: { spaces: [space] },
  })
  params = { organizationId: organization, siteId: site.id }
})

const stored = () => repository.listOf(publishing.service.db, params.siteId)
const counts = async () => {
  const body = {
    range: 'last24Hours' as const,
    where: [{ column: 'eventType' as const, values: ['agent_feedback' as const] }],
  }
  const { columns } = await publishing.as('create').aggregateSiteEvents({ params, body })
  return columns.find(({ column }) => column === 'eventsCount')?.values
}

it('Feedback of an agent is stored and counted, without who it acts for', async () => {
  const body = {
    reportedBy: { model: 'a model', onDemand: true },
    subject: { kind: 'mcp-tool' as const, toolName: 'search' },
    feedback: { category: 'usability' as const, severity: 'high' as const, summary: 'The tool finds nothing' },
  }
  const reply = await publishing.as('read').submitAgentFeedbackToSite({ params, body })
  expect(schemas.validateReply('submitAgentFeedbackToSite', 201, reply)).toEqual([])
  expect(await stored()).toEqual([{ id: reply.id, siteId: params.siteId, createdAt: expect.any(Date), ...body }])
  expect(await counts()).toEqual([1])
})

it('Feedback about a page is stored and counted, and must be about a space of the site', async () => {
  const about = { feedback: 'Outdated', url: 'https://docs.test/start', pageId: 'a page', source: 'mcp' as const }
  await publishing.as('read').submitSiteAgentFeedback({ params, body: { ...about, spaceId: space } })
  expect(await stored()).toMatchObject([
    {
      subject: { kind: 'documentation', pageId: 'a page' },
      feedback: { summary: 'Outdated' },
      reportedBy: { source: 'mcp' },
    },
  ])
  const elsewhere = publishing.as('read').submitSiteAgentFeedback({ params, body: { ...about, spaceId: 'nothing' } })
  await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
  expect([await counts(), (await stored()).length]).toEqual([[1], 1])
})

it('Feedback of another form is refused with the field, and changes nothing', async () => {
  const feedback = { category: 'usability' as const, summary: '' }
  const body = { subject: { kind: 'generic' as const }, feedback }
  await expect(publishing.as('read').submitAgentFeedbackToSite({ params, body })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'body.feedback.summary' }],
  })
  expect(await stored()).toEqual([])
})

it('Feedback is for those who see the site', async () => {
  const body = { subject: { kind: 'generic' as const }, feedback: { category: 'usability' as const, summary: 'No' } }
  for (const role of [null, undefined])
    await expect(publishing.as(role).submitAgentFeedbackToSite({ params, body })).rejects.toMatchObject({
      code: 'not_found',
    })
})

/** The agent of a visitor of the site. */
function visitor(seen: Partial<Parameters<typeof visitorActor>[0]> = {}) {
  const token = { organization, site: params.siteId, version: 1, spaces: [space], claims: {}, ...seen }
  const actor = visitorActor(token)
  return busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
}
const generic = {
  subject: { kind: 'generic' as const },
  feedback: { category: 'usability' as const, summary: 'Unclear' },
}

it('The agent of a visitor says something about the published site that the visitor reads, and about no other', async () => {
  const refused = { code: 'not_found' }
  await expect(visitor().submitAgentFeedbackToSite({ params, body: generic })).rejects.toMatchObject(refused)
  await publishing.as('create').publishSite({ params })
  await visitor().submitAgentFeedbackToSite({ params, body: generic })
  for (const other of [{ site: 'another' }, { organization: 'another' }, { excludesAgents: true }])
    await expect(visitor(other).submitAgentFeedbackToSite({ params, body: generic })).rejects.toMatchObject(refused)
  expect(await stored()).toMatchObject([{ feedback: generic.feedback }])
})

it('Visitors add no feedback above the limit of a site in an hour, members do', async () => {
  await publishing.as('create').publishSite({ params })
  const row = { siteId: params.siteId, ...generic, reportedBy: {} }
  for (let count = 0; count < 600; count += 1) await repository.insert(publishing.service.db, row)
  await expect(visitor().submitAgentFeedbackToSite({ params, body: generic })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 3600,
  })
  await publishing.as('read').submitAgentFeedbackToSite({ params, body: generic })
  expect(await stored()).toHaveLength(601)
})

it('Feedback is forgotten with its count', async () => {
  const body = { subject: { kind: 'generic' as const }, feedback: { category: 'usability' as const, summary: 'No' } }
  await publishing.as('read').submitAgentFeedbackToSite({ params, body })
  await repository.deleteBefore(publishing.service.db, new Date(Date.now() - 60_000))
  expect(await stored()).toHaveLength(1)
  await repository.deleteBefore(publishing.service.db, new Date(Date.now() + 60_000))
  expect(await stored()).toEqual([])
})

it('There are no segments of visitors, since nothing is kept of them', async () => {
  const reply = await publishing.as('create').listSiteVisitorSegments({ params })
  expect(schemas.validateReply('listSiteVisitorSegments', 200, reply)).toEqual([])
  expect(reply).toEqual({ items: [], count: 0 })
})
