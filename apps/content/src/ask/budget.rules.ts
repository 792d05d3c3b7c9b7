/** Limits of the questions of an organization. */
export interface AskLimits {
  /** Questions of a day. */
  questions: number
  /** Tokens of a day, those of questions and of answers. */
  tokens: number
  /** Questions at a time. */
  concurrency: number
}

interface Use {
  questions: number
  tokens: number
  running: number
  untilTomorrow: number
}

/** Seconds after which a question may be repeated while too many are being answered. */
const busyTime = 5

/** The reason why one more question with these tokens is refused; undefined when it is not. */
export function refusalOf(
  use: Use,
  tokens: number,
  limits: AskLimits,
): { message: string; retryAfter: number } | undefined {
  if (use.questions >= limits.questions)
    return { message: `The organization has asked ${limits.questions} questions today`, retryAfter: use.untilTomorrow }
  if (use.tokens + tokens > limits.tokens)
    return { message: `The organization has used its ${limits.tokens} tokens of today`, retryAfter: use.untilTomorrow }
  if (use.running >= limits.concurrency)
    return { message: 'The organization asks too many questions at a time', retryAfter: busyTime }
  return undefined
}

/** About as many tokens as a text has, rather too many: a third of its bytes. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}
