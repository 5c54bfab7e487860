import type { Caller, Outcome, Runtime } from '../../../core/src/index.ts'

export type ToolCall = { readonly tool: string; readonly input: unknown; readonly caller: Caller }

/** One call with an idempotency key of its own, so that no answer is a replay, and the time it took. */
export async function timeToolCall(
  runtime: Pick<Runtime, 'call'>,
  { tool, input, caller }: ToolCall,
): Promise<{ readonly outcome: Outcome; readonly tookMs: number }> {
  const startedAt = performance.now()
  const outcome = await runtime.call({
    tool,
    input,
    caller,
    surface: 'bench',
    repeat: 'meant',
    idempotencyKey: crypto.randomUUID(),
  })
  return { outcome, tookMs: performance.now() - startedAt }
}
