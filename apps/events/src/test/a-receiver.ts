import type { IncomingMessage, ServerResponse } from 'node:http'
import { aWebServer, type WebServer } from '@recto/testing'
import { Webhook } from 'standardwebhooks'

/** A message that an endpoint has received. */
export interface Received {
  headers: Record<string, string>
  body: string
  type: string
  /** The space that its event is about. */
  space: string | undefined
}

/** An endpoint of webhooks. */
export interface Receiver {
  url: string
  /** Messages in the order of their arrival, but for changes of webhooks themselves. */
  messages: Received[]
  /** Answers the next messages; 200 unless given. */
  answerWith(answer: (response: ServerResponse) => void): void
  /** Whether all messages are signed with a secret. */
  isSigned(secret: string): boolean
}

/** A web server with endpoints. */
export async function receivers(): Promise<{
  web: WebServer
  receiver(path: string): Receiver
  stop(): Promise<void>
}> {
  const web = await aWebServer()
  return { web, receiver: path => receiverAt(web, path), stop: () => web.stop() }
}

function receiverAt(web: WebServer, path: string): Receiver {
  const messages: Received[] = []
  let answer = (response: ServerResponse): void => void response.writeHead(200).end()
  web.set({
    [path]: (response, request) =>
      void readText(request).then(body => {
        const { type, data } = JSON.parse(body) as { type: string; data: { subject?: { space?: string } } }
        // A webhook is told of its own creation, too, a moment later.
        if (/^webhook\.(?!test)/.test(type)) return void response.writeHead(200).end()
        messages.push({ headers: request.headers as Record<string, string>, body, type, space: data.subject?.space })
        answer(response)
      }),
  })
  return {
    url: `${web.url}${path}`,
    messages,
    answerWith: next => void (answer = next),
    isSigned: secret => messages.every(({ headers, body }) => isVerified(new Webhook(secret), body, headers)),
  }
}

function isVerified(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
