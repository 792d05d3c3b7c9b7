/** The parts of an engine's reply. */
export interface ReadReply {
  /** The answer, without the numbers of sections. */
  markdown: string
  /** The places of the sections that the answer names, from 0; those that were not sent are left out. */
  citations: number[]
  questions: string[]
}

/** Questions after an answer, and characters of each. */
const maxQuestions = 3
const maxQuestion = 200
/** Blocks of code and code in text: their brackets are no numbers of sections. */
const code = /(^ {0,3}(?:`{3,}|~{3,})[^]*?(?:^ {0,3}(?:`{3,}|~{3,})[ \t]*$|$(?![^]))|`[^`\n]*`)/m
const numbers = /[ \t]?\[{1,2}(\d{1,3}(?:[ \t]*,[ \t]*\d{1,3})*)\]{1,2}(?!\()/g

/** Reads a reply, whole or as far as it has come, that may name this many sections. */
export function readReply(reply: string, { mark, sections }: { mark: string; sections: number }): ReadReply {
  const heading = `QUESTIONS ${mark}`
  const at = reply.indexOf(heading)
  const text = at === -1 ? withoutBeginningOf(heading, reply) : reply.slice(0, at)
  const citations = new Set<number>()
  const parts = text.split(code).map((part, place) => {
    if (place % 2 === 1) return part
    return part.replace(numbers, (_whole, list: string) => {
      for (const number of list.split(',')) if (isPlace(Number(number) - 1, sections)) citations.add(Number(number) - 1)
      return ''
    })
  })
  return {
    markdown: withoutMark(parts.join(''), mark).trim(),
    citations: [...citations].toSorted((a, b) => a - b),
    questions: at === -1 ? [] : readQuestions(withoutMark(reply.slice(at + heading.length), mark), maxQuestions),
  }
}

const isPlace = (at: number, count: number): boolean => at >= 0 && at < count
const withoutMark = (text: string, mark: string): string => text.replaceAll(mark, '')

/** A reply that is still coming must not show half of the line that ends the answer. */
function withoutBeginningOf(heading: string, reply: string): string {
  const start = reply.lastIndexOf('\n') + 1
  return heading.startsWith(reply.slice(start)) ? reply.slice(0, start) : reply
}

/** Questions that stand one per line, with or without marks of a list. */
export function readQuestions(text: string, max: number): string[] {
  const lines = text.split('\n').map(line => line.replace(/^[\s\-*•]*(?:\d{1,2}[.)])?\s*/, '').trim())
  const questions = lines.filter(line => line !== '' && line.length <= maxQuestion)
  return [...new Set(questions)].slice(0, max)
}
