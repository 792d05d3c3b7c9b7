import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aCorpus, type CorpusPack } from './corpus.ts'
import { anIndex, type IndexInput } from './index-inputs.ts'
import { judgeIndexes, judgePackets, judgePacks, type Verdict } from './judge.ts'
import { aPack } from './pack-inputs.ts'
import { aConversation } from './packet-inputs.ts'
import { Random } from './random.ts'
import { Scratch } from './scratch.ts'

/** The kinds of generated input. */
export const kinds = ['pack', 'index', 'packets'] as const
export type Kind = (typeof kinds)[number]

/** The range of inputs: the seed, the first number and the count. */
export interface Range {
  kind: Kind
  seed: string
  from?: number
  count: number
  onBatch?(done: number): void
}

/** The number of inputs per verdict; a fault ends the run. */
export type Figures = Map<string, number>

const batchSize = 250
/** The number of inputs that share one corpus of packs written by git. */
const block = 5_000
const corpusSize = 24

/** Generates inputs and compares the results with native git. Throws the first fault, with its seed, number and bytes. */
export async function fuzz({ kind, seed, from = 0, count, onBatch }: Range): Promise<Figures> {
  const figures: Figures = new Map()
  const scratch = new Scratch()
  let corpus: { block: number; packs: CorpusPack[] } = { block: -1, packs: [] }
  try {
    for (let start = from; start < from + count;) {
      const now = Math.floor(start / block)
      if (kind !== 'packets' && corpus.block !== now)
        corpus = { block: now, packs: await aCorpus(`${seed}/${kind}/${now}`, corpusSize) }
      const end = Math.min(start + batchSize, from + count, (now + 1) * block)
      const verdicts = await judgeRange({ kind, seed, scratch, packs: corpus.packs }, start, end)
      for (const verdict of verdicts) note(figures, verdict)
      start = end
      onBatch?.(start - from)
    }
    return figures
  } finally {
    scratch.remove()
  }
}

interface Source {
  kind: Kind
  seed: string
  scratch: Scratch
  packs: CorpusPack[]
}

async function judgeRange({ kind, seed, scratch, packs }: Source, start: number, end: number): Promise<Verdict[]> {
  const numbers = Array.from({ length: end - start }, (_, at) => start + at)
  const randoms = numbers.map(number => new Random(seed, kind, number))
  // The read options depend on the input's number only, so that a fault can be reproduced.
  const judging = numbers.map(number => new Random(seed, kind, number, 'judge'))
  if (kind === 'index') {
    const inputs = randoms.map(own => anIndex(own, packs))
    return checked(
      numbers,
      { kind, seed, inputs: inputs.map(({ bytes }) => bytes), details: inputs },
      await judgeIndexes(scratch, inputs, judging),
    )
  }
  const inputs = randoms.map(own => (kind === 'pack' ? aPack(own, packs) : aConversation(own)))
  return checked(
    numbers,
    { kind, seed, inputs, details: [] },
    await (kind === 'pack' ? judgePacks : judgePackets)(scratch, inputs, judging),
  )
}

function checked(
  numbers: readonly number[],
  {
    kind,
    seed,
    inputs,
    details,
  }: { kind: Kind; seed: string; inputs: readonly Buffer[]; details: readonly IndexInput[] },
  verdicts: Verdict[],
): Verdict[] {
  for (const [at, verdict] of verdicts.entries()) {
    if (typeof verdict === 'string' || !('fault' in verdict)) continue
    const input = inputs[at] ?? Buffer.alloc(0)
    const folder = join(tmpdir(), 'recto-fuzz-faults')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${kind}-${seed}-${numbers[at]}`)
    writeFileSync(path, input)
    const excerpt = input.length > 6_000 ? `${input.toString('base64', 0, 6_000)}...` : input.toString('base64')
    const size = details[at] ? `, for a pack of ${details[at].packBytes} bytes` : ''
    throw new Error(
      `${kind} ${numbers[at]} of seed ${seed}: ${verdict.fault}\nThe input is in ${path}${size}: ${excerpt}`,
    )
  }
  return verdicts
}

function note(figures: Figures, verdict: Verdict): void {
  const name =
    typeof verdict === 'string'
      ? verdict
      : 'difference' in verdict
        ? `difference: ${verdict.difference}`
        : verdict.fault
  figures.set(name, (figures.get(name) ?? 0) + 1)
}
