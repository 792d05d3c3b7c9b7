import { readPackets } from '@recto/git-pack'
import { describe, expect, it } from '@jest/globals'
import { readPushReport } from './push-report.ts'

const packet = (bytes: string) => (bytes.length + 4).toString(16).padStart(4, '0') + bytes
const banded = (band: number, bytes: string) => packet(String.fromCharCode(band) + bytes)

async function* stream(text: string): AsyncGenerator<Uint8Array> {
  for (const half of [text.slice(0, 7), text.slice(7)]) yield Buffer.from(half, 'latin1')
}
const read = (text: string, isExpected = true) =>
  readPushReport(readPackets(stream(text)), { ref: 'refs/heads/main', isExpected })

const ok = packet('unpack ok\n')

describe('Push reports', () => {
  it.each([
    ['on a band', banded(1, `${ok}${packet('ok refs/heads/main\n')}0000`) + '0000', { ok: true }],
    ['without bands', `${ok}${packet('ok refs/heads/main\n')}0000`, { ok: true }],
    [
      'of a refusal, with what a hook printed',
      banded(2, 'not ') + banded(2, 'today\n') + banded(1, `${ok}${packet('ng refs/heads/main hook declined\n')}0000`),
      { ok: false, reason: 'hook declined', messages: 'not today\n' },
    ],
    [
      'of a pack that the server cannot read',
      packet('unpack index-pack abnormal exit\n') + packet('ng refs/heads/main unpacker error\n'),
      { ok: false, reason: 'index-pack abnormal exit', messages: '' },
    ],
  ])('The report of a push %s', async (_title, text, expected) => expect(await read(text)).toEqual(expected))

  it('A missing report of a push is a failure, unless the server does not report', async () => {
    await expect(read(banded(3, 'no room'))).rejects.toMatchObject({ message: expect.stringContaining('no room') })
    expect(await read('0000', false)).toEqual({ ok: true })
  })
})
