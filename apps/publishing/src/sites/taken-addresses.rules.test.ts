import { describe, expect, it } from '@jest/globals'
import { installationHosts, takenFields } from './taken-addresses.rules.ts'

describe('where another organization has a site', () => {
  const others = [
    { hostname: 'docs.acme.test', proxy: null },
    { hostname: null, proxy: 'Acme.test/docs/api' },
  ]

  it.each<[string, Parameters<typeof takenFields>[0], string[]]>([
    ['its hostname', { hostname: 'docs.acme.test' }, ['hostname']],
    ['the host of its proxy', { hostname: 'acme.test' }, ['hostname']],
    ['a path at its hostname', { proxy: 'docs.acme.test/a' }, ['proxy']],
    ['its proxy, spelled otherwise', { proxy: 'acme.test/Docs/API' }, ['proxy']],
    ['a path below its proxy', { proxy: 'acme.test/docs/api/v1' }, ['proxy']],
    ['a path above its proxy', { proxy: 'acme.test/docs' }, ['proxy']],
    ['both', { hostname: 'docs.acme.test', proxy: 'acme.test/docs' }, ['hostname', 'proxy']],
    ['another path at the host of its proxy', { proxy: 'acme.test/help' }, []],
    ['a path that begins alike', { proxy: 'acme.test/docs/apis' }, []],
    ['another host', { hostname: 'help.acme.test', proxy: 'help.test/docs' }, []],
    ['nothing', { hostname: null }, []],
  ])('%s is taken or free', (_case, address, taken) => {
    expect(takenFields(address, others)).toEqual(taken)
  })
})

it.each([
  [{ hostname: 'acme.docs.test' }, ['hostname']],
  [{ proxy: 'Acme.docs.test/a' }, ['proxy']],
  [{ hostname: 'docs.acme.docs.test', proxy: 'docs.test/a' }, []],
  [{}, []],
])('of %j, hosts of the installation are in %j', (addresses, fields) => {
  expect(installationHosts(addresses, 'https://{basename}.docs.test')).toEqual(fields)
})
