import { describe, expect, it } from '@jest/globals'
import { redirectUriFault } from '@recto/contracts-identity'
import { formTarget } from './redirect.rules.ts'

describe('A redirect URI', () => {
  it.each([
    ['https://program.test'],
    ['https://program.test/callback?from=recto'],
    ['https://program.test:8443/'],
    ['https://xn--bcher-kva.test/cb'],
    ['http://localhost:8080/cb'],
    ['http://127.0.0.1/'],
    ['http://[::1]:8080/cb'],
    ['cursor://anysphere.cursor-retrieval/oauth'],
    ['com.example.app:/oauth'],
  ])('%s is good', uri => expect(redirectUriFault(uri)).toBeUndefined())

  it.each([
    ['/callback', 'absolute'],
    ['https://program.test/#here', 'fragment'],
    ['https://program.test/#', 'fragment'],
    ['https://me:secret@program.test/', 'credentials'],
    ['https://me@program.test/', 'credentials'],
    ['http://program.test/', 'https'],
    ['http://127.0.0.1.program.test/', 'https'],
    ['https://[2001:db8::1]/', 'host'],
    ['https://a;sandbox/cb', 'host'],
    ['https://a,b/cb', 'host'],
    ['https://*/cb', 'host'],
    ["https://'self'/cb", 'host'],
    ['https://program.test/\0', 'escaped'],
    ['https://program.test/a b', 'escaped'],
    ['https://program.test\\evil.test/', 'escaped'],
    ['https://bücher.test/', 'escaped'],
    [' javascript:alert(1)', 'spaces'],
    ['java\tscript:alert(1)', 'spaces'],
    ['javascript:alert(1)\r\n', 'spaces'],
    ['https:program.test/cb', 'begin with https://program.test'],
    ['https:///program.test/cb', 'begin with https://program.test'],
    ['HTTPS://PROGRAM.test/cb', 'begin with https://program.test'],
    ['https://program.test:443/cb', 'begin with https://program.test'],
    ['http://2130706433/', 'begin with http://127.0.0.1'],
    ...['javascript', 'JavaScript', 'data', 'vbscript', 'file', 'blob', 'about', 'view-source', 'chrome', 'intent']
      .concat(['mailto', 'ftp', 'jar', 'ws', 'wss', 'filesystem', 'ms-msdt', 'search-ms', 'chrome-extension'])
      .map((scheme): [string, string] => [`${scheme}:x`, 'address of a program']),
  ])('%j is refused: %s', (uri, fault) => expect(redirectUriFault(uri)).toContain(fault))
})

describe('The policy of a page whose form leads to a program', () => {
  it.each([
    ['https://program.test/cb', 'https://program.test'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/cb', 'http:'],
    ['com.example.app:/oauth', 'com.example.app:'],
    ['https://a;sandbox/cb', 'https:'],
    ['https://*/cb', 'https:'],
  ])('for %s has the source %s', (uri, source) => expect(formTarget(uri)).toBe(source))
})
