/** The module of the worker threads that make PDFs; a bundle of its own. */
export { makePdf } from '@recto/pdf/tasks'
