/** A module of its own, because the parser behind it is needed only when a thread has failed. */
export { unparsedPage } from '@recto/markdown/checks'
