import type { Sdk } from './sdk.ts'
import { ToolFailure, type ToolCall } from './tool.ts'

/** Does work for a client, with the circumstances of its call. */
export type Guarded = <Result>(work: (call: ToolCall) => Promise<Result>) => Promise<Result>

/** Does work for a client; what it throws that is no answer is noticed, and the client is told no more than that something failed. */
export async function guard<Result>(
  { types }: Sdk,
  { signal, notice, work }: ToolCall & { notice: (error: unknown) => void; work(call: ToolCall): Promise<Result> },
): Promise<Result> {
  try {
    return await work({ signal })
  } catch (error) {
    if (error instanceof ToolFailure) throw new types.McpError(types.ErrorCode.InvalidParams, error.message)
    if (error instanceof types.McpError) throw error
    notice(error)
    throw new types.McpError(types.ErrorCode.InternalError, 'Something went wrong on our side')
  }
}
