import { describe, expect, it } from '@jest/globals'
import { isPublicAddress } from './addresses.ts'
import { parseAllowList } from './allow-list.ts'
import { findDestination, hostOf, parseTarget, portOf } from './destination.ts'

const reach = (url: string, answers: string[] = ['93.184.215.14'], allow = '') => {
  const target = parseTarget(url)
  return findDestination(hostOf(target), portOf(target), { allow: parseAllowList(allow), resolve: async () => answers })
}

describe('an address that is not on the public internet is refused:', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback, far end', '127.255.255.254'],
    ['private 10/8', '10.1.2.3'],
    ['private 172.16/12', '172.31.255.255'],
    ['private 192.168/16', '192.168.0.1'],
    ['link-local', '169.254.1.1'],
    ['metadata', '169.254.169.254'],
    ['metadata of Azure', '168.63.129.16'],
    ['metadata of Alibaba, CGNAT', '100.100.100.200'],
    ['CGNAT', '100.64.0.1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.9'],
    ['benchmarking', '198.18.0.1'],
    ['protocol assignments', '192.0.0.192'],
    ['6to4 relay', '192.88.99.1'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped in hex', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['translated', '::ffff:0:10.0.0.1'],
    ['compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['new documentation', '3fff::1'],
    ['discard', '100::1'],
    ['benchmarking', '2001:2::1'],
    ['segment routing', '5f00::1'],
    ['outside global unicast', '4000::1'],
    ['with a zone', 'fe80::1%eth0'],
    ['no address', 'example.com'],
  ])('%s %s', (_kind, address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a public address is reachable:', () => {
  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80f::200e',
  ])('%s', address => expect(isPublicAddress(address)).toBe(true))
})

describe('a spelling of a loopback or private address in a URL is refused:', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[::7f00:1]/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1:8080/',
  ])('%s', url => expect(reach(url)).rejects.toMatchObject({ reason: 'refused_address', code: 'invalid_request' }))
})

describe('every address of a host name is checked:', () => {
  it.each([
    ['public only', ['93.184.215.14', '2606:4700::1111'], undefined],
    ['private only', ['10.0.0.1'], 'refused_address'],
    ['public, then private', ['93.184.215.14', '10.0.0.1'], 'refused_address'],
    ['private, then public', ['127.0.0.1', '93.184.215.14'], 'refused_address'],
    ['public IPv4, mapped loopback', ['93.184.215.14', '::ffff:127.0.0.1'], 'refused_address'],
    ['none', [], 'unresolvable'],
  ])('%s', async (_title, answers, reason) => {
    const outcome = await reach('https://docs.example.org/', answers).then(
      ({ addresses }) => addresses,
      (error: { reason: string }) => error.reason,
    )
    expect(outcome).toEqual(reason ?? answers)
  })

  it('fails as unresolvable when the name server refuses', () =>
    expect(
      findDestination('nowhere.example', 443, {
        allow: parseAllowList(''),
        resolve: () => Promise.reject(new Error('ENOTFOUND')),
      }),
    ).rejects.toMatchObject({ reason: 'unresolvable' }))
})

describe('an exception allows exactly the addresses it names:', () => {
  it.each([
    ['localhost', 'http://localhost:3000/', '127.0.0.1', true],
    ['localhost', 'http://localhost.:3000/', '127.0.0.1', true],
    ['localhost:3000', 'http://localhost:3000/', '127.0.0.1', true],
    ['localhost:3000', 'http://localhost:3001/', '127.0.0.1', false],
    ['git.local:443', 'https://git.local/', '10.0.0.1', true],
    ['git.local:443', 'http://git.local/', '10.0.0.1', false],
    ['git.local', 'http://evil.git.local/', '10.0.0.1', false],
    ['GIT.local', 'http://git.LOCAL/', '10.0.0.1', true],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/', '', true],
    ['127.0.0.1:3000', 'http://2130706433:3000/', '', true],
    ['127.0.0.1:3000', 'http://rebound.example:3000/', '127.0.0.1', true],
    ['127.0.0.1:3000', 'http://127.0.0.2:3000/', '', false],
    ['10.1.0.0/16', 'http://10.1.2.3/', '', true],
    ['10.1.0.0/16', 'http://10.2.2.3/', '', false],
    ['10.1.0.0/16', 'http://[::ffff:10.1.2.3]/', '', false],
    ['[::1]:80', 'http://[::1]/', '', true],
    ['::1', 'http://[::1]:9/', '', true],
    ['fd00::/8', 'http://[fd00::7]/', '', true],
    ['a.example, b.example:8080', 'http://b.example:8080/', '10.0.0.1', true],
  ] as const)('%s and %s', async (...[allow, url, answer, expected]) =>
    expect(
      await reach(url, [answer], allow).then(
        () => true,
        () => false,
      ),
    ).toBe(expected),
  )

  it.each(['10.0.0.0/40', 'http://x', 'a b', 'host:port'])('an exception that cannot be read is an error: %s', entry =>
    expect(() => parseAllowList(entry)).toThrow('OUTGOING_ALLOW'),
  )
})

describe('an unsupported URL is refused:', () => {
  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://x/',
    'javascript:1',
    'example.org',
    '',
    'http://',
    'http://user:secret@example.org/',
    'http://[fe80::1%25eth0]/',
    'git@host:x.git',
  ])('%s', url => expect(() => parseTarget(url)).toThrow(expect.objectContaining({ reason: 'bad_url' })))
})
