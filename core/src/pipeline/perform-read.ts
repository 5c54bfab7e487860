import { errorRow } from '../call/errors.ts'
import type { Answer } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import { type CheckedOutput, checkOutput, invalidOutputError } from '../define/check-output.ts'
import { callBudgetMs } from '../define/normal.ts'
import { holdsSecret } from '../define/redact.ts'
import type { Work } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { withDeadline } from '../ledger/deadline.ts'
import { toCallError } from '../ledger/scrub.ts'
import { attempt, CallExecution } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import { type CacheEntry, cacheKey } from './recall.ts'
import { withRetries } from './retry.ts'
import { type Flight, joinFlight } from './single-flight.ts'

type ExecuteWork = Extract<Work, { kind: 'execute' }>

/** Executes a read: it has no row in the ledger, and perhaps a cache entry. */
export function performRead(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  if (call.tool.contract.cache !== undefined) return readOnceForAll(call, work, context)
  return call.tool.contract.fallback === undefined
    ? read(call, work, context)
    : readOrFallBack(call, work, context)
}

// Single flight: callers who come while a cached read is executing wait for the same answer.
function readOnceForAll(call: Call, work: ExecuteWork, context: PipelineContext): Promise<Answer> {
  const key = cacheKey(call, context)
  const current = context.flights.get(key)
  if (current !== undefined) return joinFlight(current, call, context)
  const controller = new AbortController()
  // One caller's short deadline must not end the read for the others: it has the time of the
  // contract.
  const deadlineTicks = context.clock.ticks() + callBudgetMs(call.tool.contract)
  const answer = readOrFallBack(
    { ...call, signal: controller.signal, deadlineTicks },
    work,
    context,
  ).then((done) => writeCache(key, done, call, context))
  const flight: Flight = { answer, waiting: 0, controller }
  context.flights.set(key, flight)
  const remove = (): void => {
    if (context.flights.get(key) === flight) context.flights.delete(key)
  }
  answer.then(remove, remove)
  // A read that was aborted because every caller left must not be joined.
  controller.signal.addEventListener('abort', remove, { once: true })
  return joinFlight(flight, call, context)
}

async function writeCache(
  key: string,
  answer: Answer,
  call: Call,
  context: PipelineContext,
): Promise<Answer> {
  const { cache } = call.tool.contract
  if (cache === undefined || answer.status !== 'done' || answer.source !== 'executed') return answer
  // Cache entries are not encrypted, so outputs with secrets are not cached.
  if (holdsSecret(call.tool.output.shape)) return answer
  const entry: CacheEntry = {
    data: answer.data,
    warnings: answer.warnings,
    output: { hash: answer.output.hash, bytes: answer.output.bytes },
  }
  try {
    await context.stores.cache.set(key, JSON.stringify(entry), cache.ttlMs(call.input))
  } catch {
    // The answer is not cached, and the next call executes again.
  }
  return answer
}

async function readOrFallBack(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  try {
    return await read(call, work, context)
  } catch (thrown) {
    return fallBack(call, toCallError(thrown, call, context), context)
  }
}

async function read(call: Call, work: ExecuteWork, context: PipelineContext): Promise<Answer> {
  const given = { ports: context.providers.of(call.tool), idempotencyKey: call.key }
  const raw = await withRetries(call, context, () =>
    attempt(call, context, (current) =>
      work.execute(new CallExecution(call, context, current, given)),
    ),
  )
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) throw invalidOutputError(call.tool.id, checked.problem, call.id)
  return toDone(checked)
}

function toDone(
  checked: Extract<CheckedOutput, { ok: true }>,
): Extract<Answer, { status: 'done' }> {
  return {
    status: 'done',
    data: checked.data,
    source: 'executed',
    warnings: checked.warnings,
    originalCallId: undefined,
    audited: false,
    output: checked.output,
  }
}

// A fallback replaces a failure, never a refusal: a caller without rights must not get an answer
// that looks like trouble.
async function fallBack(call: Call, error: ToolError, context: PipelineContext): Promise<Answer> {
  const { fallback } = call.tool.contract
  if (
    fallback === undefined ||
    (errorRow(error.code).status === 'failed' && !errorRow(error.code).retryable)
  )
    throw error
  const moment = {
    input: call.input,
    ports: context.providers.of(call.tool) as never,
    caller: call.caller,
    now: context.clock.now,
  }
  const raw = await withDeadline(call, context, Promise.resolve(fallback(moment, error)))
  if (raw === undefined) throw error
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) throw invalidOutputError(call.tool.id, checked.problem, call.id)
  return {
    ...toDone(checked),
    source: 'fallback',
    warnings: [...checked.warnings, `This is a fallback answer: ${error.message}`],
  }
}
