export * from './model/model.ts'
export { serveSource } from './model/port.ts'
export type { PdfTask, PdfTasks } from './tasks.ts'
