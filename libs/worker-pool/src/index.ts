export { createSemaphore, type Semaphore } from './semaphore.ts'
export { createWorkerPool, type RunOptions, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'
export { WorkerFailure, type WorkerFailureReason } from './worker-failure.ts'
