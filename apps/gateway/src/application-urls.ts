import { randomUUID } from 'node:crypto'
import { sendFailure, type RateLimit } from '@recto/http'
import { Failure, type FailurePage, toFailure } from '@recto/operation'
import type { Express, Request, Response } from 'express'

interface ApplicationUrls {
  publicUrl: string
  rate: RateLimit
  /** Where everybody can read what a URL of the application names; undefined where they cannot. */
  find(url: string): Promise<string | undefined>
}

/** Spaces, collections, organizations, users and specifications: what `urls.app` and the references of texts name. */
const applicationPath = /^\/(?:[scou]|~)\/./
/** Characters of a path; a page whose path is longer is named by its id. */
const maxPathLength = 4_000

const page: FailurePage = {
  title: 'Nothing to read here',
  messages: {
    not_found: 'This address leads to nothing that is published for everybody. Ask whoever gave it to you for another.',
    rate_limited: 'There were too many requests. Try again in a minute.',
  },
  otherwise: 'The page cannot be found at the moment. Try again later.',
}

/**
 * Mounts the URLs of the application: they lead to where everybody can read what they name. All others get the same reply, whether there
 * is such a thing or not. Nothing of a request becomes part of the address but the id or path of a page that is there.
 */
export function mountApplicationUrls(app: Express, urls: ApplicationUrls): void {
  app.get(applicationPath, (request, response) =>
    redirect(urls, request, response).catch((error: unknown) => fail(request, response, toFailure(error))),
  )
}

async function redirect({ publicUrl, rate, find }: ApplicationUrls, request: Request, response: Response) {
  await rate.take(`address ${request.ip}`)
  const { path } = request
  const address = path.length > maxPathLength ? undefined : await find(`${publicUrl}${path}`)
  if (address === undefined) throw new Failure('not_found', 'There is nothing here that everybody can read')
  response.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(302, address)
}

function fail(request: Request, response: Response, failure: Failure): void {
  const requestId = randomUUID()
  response.set('x-request-id', requestId)
  sendFailure(response, failure, {
    person: request.accepts(['json', 'html']) === 'html' ? { page, requestId } : undefined,
  })
}
