import { ApiFailure } from '../api/api-client.ts'
import type { PageResponse } from '../responses/page-response.ts'
import { failureResponse } from './handle-request.ts'
import type { PageRequest } from './page-request.ts'

type AnswerRequest = (request: PageRequest) => Promise<PageResponse>

/**
 * Answers at most `limit` requests at a time and others with 503 at once: what waits for longer than a visitor does is work for nobody. An
 * answer that is being sent counts no more.
 */
export function limitRequests(limit: number, answer: AnswerRequest): AnswerRequest {
  let answering = 0
  return async request => {
    if (answering >= limit)
      return failureResponse(request, new ApiFailure(503, 'Too many visitors ask at the moment, please try again'))
    answering += 1
    try {
      return await answer(request)
    } finally {
      answering -= 1
    }
  }
}
