import type { Call } from '../call/call.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { Answer } from '../call/outcome.ts'
import type { Work } from '../define/tool.ts'
import { answerFor, heldAnswer, invalidOutput } from './answer-for.ts'
import { Attempt } from './attempt.ts'
import { successEntry } from './audit-entry.ts'
import { CallExecution } from './execution.ts'
import { passGates } from './gates.ts'
import { inStoresTime } from './in-stores-time.ts'
import { inTime } from './in-time.ts'
import { checkOutput } from './output.ts'
import type { PipelineContext } from './parts.ts'
import { withRetries } from './retry.ts'
import { claimRequest, refusedClaim } from './take-call.ts'
import { whenFree } from './when-free.ts'

/** An effect in our own database: claim, effect, audit and answer commit together, or not at all. */
export async function performTransaction(
  call: Call,
  work: Extract<Work, { kind: 'transaction' }>,
  parts: PipelineContext,
): Promise<Answer> {
  if (call.tool.contract.gates.length > 0) await inTime(call, parts, passGates(call, parts))
  const made = argsOf(call, work, parts)
  if (!made.ok) return answerInstead(call, made.thrown, parts)
  const claim = claimRequest(call, parts)
  // rolled back is safe to repeat
  const done = await withRetries(call, parts, () =>
    whenFree(call, parts, () =>
      inStoresTime(call, parts, (timeoutMs) =>
        parts.stores.calls.transact({
          claim,
          name: work.name,
          apply: work.apply,
          args: made.args,
          timeoutMs,
          audit: successEntry(call, parts, 'executed', NOTHING_HASHED),
        }),
      ),
    ),
  )
  switch (done.kind) {
    case 'running':
      throw done.error
    case 'held':
      return heldAnswer(done.row, call, parts)
    case 'done': {
      const checked = checkOutput(call.tool, done.result)
      const audited = { source: 'executed', originalCallId: undefined, audited: true } as const
      if (!checked.ok)
        return {
          status: 'failed',
          error: invalidOutput(call.tool.id, checked.problem, call.id),
          ...audited,
        }
      return {
        status: 'done',
        data: checked.data,
        warnings: checked.warnings,
        output: checked.output,
        ...audited,
      }
    }
    default:
      throw refusedClaim(call, done)
  }
}

type Made =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly thrown: unknown }

function argsOf(call: Call, work: Extract<Work, { kind: 'transaction' }>, parts: PipelineContext): Made {
  const given = { ports: parts.providers.of(call.tool), idempotencyKey: call.key }
  try {
    return { ok: true, args: work.args(new CallExecution(call, parts, new Attempt(), given)) }
  } catch (thrown) {
    return { ok: false, thrown }
  }
}

// what was done under this key is answered, though its arguments could not be made today
async function answerInstead(call: Call, thrown: unknown, parts: PipelineContext): Promise<Answer> {
  const { caller, key, tool } = call
  const row = await parts.stores.calls.find({
    tenant: caller.tenant,
    principal: caller.principal,
    toolId: tool.id,
    key,
  })
  const answer =
    row === undefined || call.resumes !== undefined ? undefined : await answerFor(row, call, parts)
  if (answer === undefined) throw thrown
  return answer
}
