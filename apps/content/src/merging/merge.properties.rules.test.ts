import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Conflict, Resolution } from './conflict.ts'
import { detectConflicts } from './detect-conflicts.rules.ts'
import { mergeContent } from './merge.rules.ts'
import { inputOf, mergeContents, withText, type Content } from './test/contents.ts'
import { ancestorsOf, histories, slotsOf, slotText, type Histories } from './test/histories.ts'
import { expectedConflicts, faultsOf } from './test/oracle.ts'

const runs = { numRuns: 250 }
const holds = (check: (all: Histories) => void) => fc.assert(fc.property(histories, check), runs)

/** Content in an order that does not depend on how it came about. */
function sortContent({ pages, files, variables }: Content): unknown {
  const byId = (rows: Map<string, unknown>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return { pages: byId(pages), files: byId(files), variables }
}

const idOf = ({ page, file, variable }: Conflict) => page ?? file ?? variable
const resolutionOf = ({ page, file, variable }: Conflict, take: 'main' | 'change-request'): Resolution => ({
  ...(page === undefined ? {} : { page }),
  ...(file === undefined ? {} : { file }),
  ...(variable === undefined ? {} : { variable }),
  take,
})
const once = (resolutions: Resolution[]) => [
  ...new Map(resolutions.map(each => [JSON.stringify({ ...each, take: '' }), each])).values(),
]

describe('for random histories', () => {
  test('An unchanged change request changes nothing, and unchanged main content takes it as it is', () =>
    holds(({ base, main, changeRequest }) => {
      const unchanged = mergeContents({ base, main, changeRequest: base })
      expect([unchanged.changes.pages.size, unchanged.changes.files.size, unchanged.conflicts]).toEqual([0, 0, []])
      expect(sortContent(unchanged.content)).toEqual(sortContent(main))
      const taken = mergeContents({ base, main: base, changeRequest })
      expect([sortContent(taken.content), taken.conflicts]).toEqual([sortContent(changeRequest), []])
      const same = mergeContents({ base, main, changeRequest: main })
      expect([sortContent(same.content), same.conflicts]).toEqual([sortContent(main), []])
    }))

  test('Edits without conflict commute', () =>
    holds(({ base, main, changeRequest }) => {
      const one = mergeContents({ base, main, changeRequest })
      const other = mergeContents({ base, main: changeRequest, changeRequest: main })
      expect(other.conflicts.length === 0).toBe(one.conflicts.length === 0)
      if (one.conflicts.length === 0) expect(sortContent(other.content)).toEqual(sortContent(one.content))
    }))

  test('A value that no side changed stays, and every other value is that of the side that changed it', () =>
    holds(all => {
      const { content, conflicts } = mergeContents(all)
      if (conflicts.length > 0) return
      for (const [id, record] of content.pages) {
        const sides = [all.base, all.main, all.changeRequest].map(({ pages }) => pages.get(id))
        const valueOf = (read: (page: NonNullable<(typeof sides)[0]>) => unknown) => {
          const [base, main, changeRequest] = sides.map(side => JSON.stringify(side ? read(side) : undefined))
          return main === base ? changeRequest : main
        }
        const names = ['title', 'emoji', 'slug', 'parent', 'order', 'type', 'href', 'file', 'createdAt'] as const
        for (const name of names)
          expect([id, name, JSON.stringify(record[name])]).toEqual([id, name, valueOf(page => page[name])])
        if (record.document === undefined) continue
        const values = slotsOf(record).map(
          (_value, at) => JSON.parse(valueOf(page => slotsOf(page)[at]) ?? '') as string,
        )
        expect(record.document).toBe(withText(record, slotText(values)).document)
      }
    }))

  test('No page is lost, and none appears', () =>
    holds(all => {
      const { content, conflicts } = mergeContents(all)
      const inConflict = new Set(conflicts.map(idOf))
      const { base, main, changeRequest } = all
      for (const id of new Set([base, main, changeRequest].flatMap(({ pages }) => [...pages.keys()]))) {
        const isDeleted = base.pages.has(id) && !(main.pages.has(id) && changeRequest.pages.has(id))
        const above = [main, changeRequest].flatMap(side => (side.pages.has(id) ? ancestorsOf(side, id) : []))
        // A conflict keeps the pages above its page, and decides about those below.
        const isBelow = (each: string | undefined) =>
          [base, main, changeRequest].some(
            side => side.pages.has(each ?? '') && ancestorsOf(side, each ?? '').includes(id),
          )
        const isNamed =
          [id, ...above].some(each => inConflict.has(each)) || (isDeleted && [...inConflict].some(isBelow))
        if (!isNamed) expect([id, content.pages.has(id)]).toEqual([id, !isDeleted])
      }
      const sourceIds = new Set([...main.pages.keys(), ...changeRequest.pages.keys()])
      expect([...content.pages.keys()].filter(id => !sourceIds.has(id))).toEqual([])
    }))

  test('The merged content is well-formed, also with conflicts', () =>
    holds(all => {
      for (const content of Object.values(all)) expect(faultsOf(content)).toEqual([])
      expect(faultsOf(mergeContents(all).content)).toEqual([])
    }))

  test('A conflict is what both sides changed differently', () =>
    holds(all => {
      const { conflicts } = mergeContents(all)
      const { values, isStructural, hasDeletion } = expectedConflicts(all)
      expect(conflicts.length > 0).toBe(values.length > 0 || isStructural)
      const actualValues = conflicts
        .map(conflict => `${conflict.kind} ${idOf(conflict)} ${conflict.field ?? ''}`)
        .sort()
      const kinds = /^(?:text|field) |^deleted [fv]/
      expect(actualValues.filter(each => kinds.test(each))).toEqual(values.filter(each => kinds.test(each)))
      if (hasDeletion)
        expect(conflicts).toContainEqual(expect.objectContaining({ kind: 'deleted', page: expect.anything() }))
      // Taking a side of a slug or a place can lead to a conflict of paths.
      const areAlone = values.every(each => kinds.test(each) && !each.endsWith(' slug'))
      if (!isStructural && areAlone) expect(actualValues).toEqual(values)
      for (const move of values.filter(each => each.startsWith('move'))) expect(actualValues).toContain(move)
    }))

  test('The first pass detects all conflicts but those of structure', () =>
    holds(all => {
      const input = inputOf(all)
      const detected = detectConflicts(input).map(({ conflict }) => conflict)
      const { conflicts } = mergeContent(input)
      expect(conflicts).toEqual(expect.arrayContaining(detected))
      const isStructural = ({ kind, ancestor }: Conflict) =>
        kind === 'move' || kind === 'path' || (kind === 'deleted' && ancestor !== undefined)
      const keyOf = (conflict: Conflict) => JSON.stringify(conflict)
      const keys = new Set(detected.map(keyOf))
      expect(conflicts.filter(each => !keys.has(keyOf(each)) && !isStructural(each))).toEqual([])
    }))

  test('A merge changes no record that it is given, and makes the same content again', () =>
    holds(all => {
      for (const { pages, files } of Object.values(all) as Content[])
        for (const record of [...pages.values(), ...files.values()]) Object.freeze(record)
      const input = inputOf(all)
      expect(mergeContent(input)).toEqual(mergeContent(input))
    }))

  test('A merge after an update gives the same content', () =>
    holds(all => {
      const { content, conflicts } = mergeContents(all)
      if (conflicts.length > 0) return
      const again = mergeContents({ base: all.main, main: all.main, changeRequest: content })
      expect([sortContent(again.content), again.conflicts]).toEqual([sortContent(content), []])
    }))

  test.each(['main', 'change-request'] as const)('Taking %s in each conflict leaves no conflict', take =>
    holds(all => {
      const resolutions = once(mergeContents(all).conflicts.map(conflict => resolutionOf(conflict, take)))
      const { content, conflicts, refused } = mergeContents(all, resolutions)
      expect({ conflicts, refused }).toEqual({ conflicts: [], refused: [] })
      expect(faultsOf(content)).toEqual([])
      const side = take === 'main' ? 'main' : 'changeRequest'
      const atOnce = mergeContents(all, [], side)
      expect([sortContent(atOnce.content), atOnce.conflicts]).toEqual([sortContent(content), []])
      expect(mergeContents(all, resolutions.slice(0, 1), side).refused).toEqual([])
    }),
  )

  test('Any choice of sides makes well-formed content, and a last choice ends without conflict', () => {
    const choices = fc.array(fc.constantFrom('main' as const, 'change-request' as const), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(histories, choices, (all, takes) => {
        const first = mergeContents(all).conflicts
        const resolutions = once(
          first.map((conflict, at) => resolutionOf(conflict, takes[at % takes.length] ?? 'main')),
        )
        const { content, conflicts, refused } = mergeContents(all, resolutions)
        expect([faultsOf(content), refused]).toEqual([[], []])
        const names = new Set(resolutions.map(each => JSON.stringify({ ...each, take: '' })))
        // A contradiction between resolutions stays in conflict under a name that is resolved already.
        const more = once(conflicts.map(conflict => resolutionOf(conflict, 'main')))
        const isContradiction = more.some(each => names.has(JSON.stringify({ ...each, take: '' })))
        if (!isContradiction) expect(faultsOf(mergeContents(all, [...resolutions, ...more]).content)).toEqual([])
      }),
      runs,
    )
  })
})
