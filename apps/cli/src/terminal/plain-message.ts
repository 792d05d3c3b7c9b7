import { plainLine } from '@recto/text'

/** The fields of an error of the system. */
interface SystemError extends Error {
  code?: string
  path?: string
  syscall?: string
  port?: number
}

/** Sentences for errors of the system, by their codes. */
const sentences: Record<string, (name: string) => string> = {
  EACCES: name => `${name} may not be read or written by you`,
  EPERM: name => `${name} may not be changed by you`,
  EROFS: name => `${name} is on a file system that is read only`,
  ENOENT: name => `${name} is not there`,
  EEXIST: name => `${name} is there already`,
  ENOTDIR: name => `${name} is no folder, or is below a file`,
  EISDIR: name => `${name} is a folder, and no file`,
  ENOTEMPTY: name => `${name} is not empty`,
  ELOOP: name => `${name} is a symbolic link, or below links that lead round in a circle`,
  ENAMETOOLONG: name => `${name} is too long a name for this system`,
  ENOSPC: name => `${name} cannot be written: there is no space left`,
  EDQUOT: name => `${name} cannot be written: your quota is used up`,
  EMFILE: name => `${name} cannot be opened: too many files are open`,
}

/** The message of a failure for people: a sentence for an error of the system, and nothing that a terminal would interpret. */
export function plainMessage(error: unknown): string {
  return sentenceOf(error).split('\n').map(plainLine).join('\n')
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path, port, message } = error as SystemError
  if (code === 'EADDRINUSE') return `Port ${port} of this machine is in use`
  const sentence = sentences[code]
  return sentence ? sentence(path ?? 'The output') : message
}
