import { z } from 'zod'
import { ApiFailure, callApi, type Connection } from '../api/api-client.ts'
import { type Command, type CommandInput, UsageFailure } from '../terminal/command.ts'
import { accountSettings } from '../terminal/config.ts'
import { apiAddress, chooseAccount, withoutToken, withToken } from './credentials.rules.ts'
import { readCredentials, writeCredentials } from './credentials-file.ts'
import { pipedSecret, typeSecret } from './read-secret.ts'

const getUser = {
  route: 'GET /user',
  summary: 'Get the caller',
  reply: z.object({ id: z.string(), displayName: z.string() }),
} as const

/** `recto login`. */
export const loginCommand: Command = {
  name: 'login',
  operands: ['[URL]'],
  summary: 'Save a token for an installation, after a check',
  options: {
    'token-stdin': { type: 'boolean', summary: 'Read the token from the standard input' },
    status: { type: 'boolean', summary: 'Show who is logged in, and where' },
    json: { type: 'boolean', summary: 'Write the result as JSON' },
  },
  run: input => (input.options['status'] === true ? showStatus(input) : login(input)),
}

/** `recto logout`. */
export const logoutCommand: Command = {
  name: 'logout',
  operands: ['[URL]'],
  summary: 'Delete the saved token of an installation, the last one unless given',
  options: { json: { type: 'boolean', summary: 'Write the result as JSON' } },
  async run(input) {
    const { credentialsFile } = accountSettings()
    const credentials = await readCredentials(credentialsFile)
    const url = addressOperand(input) ?? credentials.current
    if (url === undefined || !Object.hasOwn(credentials.tokens, url))
      throw new UsageFailure(`Nobody is logged in${url === undefined ? '' : ` at ${url}`}`)
    await writeCredentials(credentialsFile, withoutToken(credentials, url))
    report(input, { url, loggedIn: false }, `Logged out of ${url}`)
    return 0
  },
}

async function login(input: CommandInput): Promise<number> {
  const { credentialsFile, url: environmentUrl } = accountSettings()
  const credentials = await readCredentials(credentialsFile)
  const url =
    addressOperand(input) ??
    (environmentUrl === undefined ? credentials.current : (apiAddress(environmentUrl) ?? undefined))
  if (url === undefined) throw new UsageFailure('recto login needs URL, the address of the installation')
  const token = await readToken(input, url)
  if (token === '' || /\s/.test(token)) throw new UsageFailure('The token is empty, or has spaces')
  const user = await userOf({ url, token }, input)
  await writeCredentials(credentialsFile, withToken(credentials, url, token))
  report(input, { url, loggedIn: true, user }, `Logged in at ${url} as ${user.displayName}`)
  return 0
}

async function showStatus(input: CommandInput): Promise<number> {
  const { credentialsFile, ...override } = accountSettings()
  const account = chooseAccount(await readCredentials(credentialsFile), override, addressOperand(input))
  if (typeof account === 'string') {
    report(input, { loggedIn: false }, account)
    return 1
  }
  const user = await userOf(account, input)
  report(input, { url: account.url, loggedIn: true, user }, `Logged in at ${account.url} as ${user.displayName}`)
  return 0
}

async function userOf(connection: Connection, { terminal }: CommandInput) {
  try {
    return await callApi(connection, getUser, { params: {}, signal: terminal.signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404)
      throw new UsageFailure(`${connection.url} is not the address of an API: it may be that of a site`)
    throw error
  }
}

async function readToken({ options, terminal }: CommandInput, url: string): Promise<string> {
  if (options['token-stdin'] === true) return pipedSecret(process.stdin)
  return typeSecret(process.stdin, () => terminal.note(`Token for ${url} (it is not shown):`))
}

function addressOperand({ operands: [text] }: CommandInput): string | undefined {
  if (text === undefined) return undefined
  const url = apiAddress(text)
  if (url === undefined) throw new UsageFailure(`${text} is no address over HTTP`)
  return url
}

function report({ options, terminal }: CommandInput, result: object, text: string): void {
  terminal.write(options['json'] === true ? `${JSON.stringify(result)}\n` : `${text}\n`)
}
