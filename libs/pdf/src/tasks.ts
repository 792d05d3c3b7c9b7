import { createWriteStream } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { makeBook } from './book/make-book.ts'
import { BookFailure, type Book, type BookResult } from './model/model.ts'
import { sourceOf } from './model/port.ts'

/** The input of the thread: a book, the port where its texts are, and the file that becomes the PDF. */
export interface PdfTask {
  book: Book
  port: MessagePort
  file: string
}

/** Makes a PDF. A book beyond its limits is a result, too: only messages of errors leave a thread. */
export async function makePdf({ book, port, file }: PdfTask): Promise<BookResult | { refused: string }> {
  const output = createWriteStream(file)
  try {
    return await makeBook(book, sourceOf(port), output)
  } catch (error) {
    output.destroy()
    if (error instanceof BookFailure) return { refused: error.message }
    throw error
  } finally {
    port.close()
  }
}

/** The tasks of the threads that make PDFs. */
export interface PdfTasks {
  makePdf: typeof makePdf
}
