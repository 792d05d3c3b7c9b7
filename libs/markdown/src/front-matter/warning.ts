/** Something in a file that is unreadable and was left out; lines count from 1. */
export interface PageWarning {
  path: string
  message: string
  line?: number
}
