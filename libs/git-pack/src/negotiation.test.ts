import { describe, expect, it } from '@jest/globals'
import { encodeNegotiation, readCommonCommits } from './negotiation.ts'
import { flush, packet } from './pkt-line.ts'

const [a, b, c] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string]
async function* stream(...texts: string[]) {
  yield Buffer.from(texts.join(''))
}

describe('a negotiation', () => {
  it.each([
    [['multi_ack_detailed', 'side-band-64k', 'shallow'], `want ${a} multi_ack_detailed side-band-64k agent=recto\n`],
    [['side-band-64k'], `want ${a} side-band-64k agent=recto\n`],
    [[], `want ${a} agent=recto\n`],
  ])('with a server that has %j asks for no pack', (capabilities, want) => {
    const body = encodeNegotiation({ want: a, haves: [b, c], capabilities: new Set(capabilities), agent: 'recto' })
    expect(body).toBe([packet(want), flush, packet(`have ${b}\n`), packet(`have ${c}\n`), flush].join(''))
  })

  it.each<[string, string[], string[], boolean]>([
    ['no commit', ['NAK\n'], [], false],
    ['a commit of another branch', [`ACK ${b} common\n`, 'NAK\n'], [b], false],
    ['a commit of the history', [`ACK ${b} common\n`, `ACK ${b} ready\n`, 'NAK\n'], [b], true],
    ['some commits', [`ACK ${b} common\n`, `ACK ${c} common\n`, 'NAK\n'], [b, c], false],
    ['readiness for a commit that it does not have', [`ACK ${b} common\n`, `ACK ${c} ready\n`, 'NAK\n'], [b], true],
    ['one commit, without details', [`ACK ${b}\n`], [b], false],
  ])('reads %s', async (_title, lines, common, isAncestor) =>
    expect(await readCommonCommits(stream(...lines.map(packet)))).toEqual({ common: new Set(common), isAncestor }),
  )

  it.each([
    ['an error of the server', [packet('ERR no\n')], 'remote_error'],
    ['an answer that is cut off', [packet('NAK\n').slice(0, -2)], 'invalid'],
  ])('fails for %s', async (_title, texts, code) =>
    expect(readCommonCommits(stream(...texts))).rejects.toMatchObject({ code }),
  )
})
