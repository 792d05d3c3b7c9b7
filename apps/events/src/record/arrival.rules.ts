/** Decision about a change that arrives. */
export type Arrival = 'append' | 'keep' | 'drop'

/**
 * | number                                | the record has its id | then                                                                    |
 * | ------------------------------------- | --------------------- | ----------------------------------------------------------------------- |
 * | the next one                          | no                    | append                                                                  |
 * | later                                 | no                    | keep until those before it have arrived                                 |
 * | not later than the last               | no                    | append: its service was restored from a backup, and counts again        |
 * | any                                   | yes                   | drop: it was delivered before                                           |
 */
export function arrivalOf({ number, last, isPresent }: { number: number; last: number; isPresent: boolean }): Arrival {
  if (isPresent) return 'drop'
  return number > last + 1 ? 'keep' : 'append'
}
