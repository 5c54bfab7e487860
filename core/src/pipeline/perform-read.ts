import type { Call } from '../call/call.ts'
import { errorRow } from '../call/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { type ToolError, toToolError } from '../call/tool-error.ts'
import { holdsSecret } from '../define/redact.ts'
import type { Work } from '../define/tool.ts'
import { invalidOutput } from './answer-for.ts'
import { attempt } from './attempt.ts'
import { CallExecution } from './execution.ts'
import { type Flight, join } from './flight.ts'
import { inTime } from './in-time.ts'
import { type CheckedOutput, checkOutput } from './output.ts'
import type { PipelineContext } from './parts.ts'
import { type CacheEntry, cacheKey } from './recall.ts'
import { callBudgetMs, withRetries } from './retry.ts'
import { scrub } from './scrub.ts'

type Execute = Extract<Work, { kind: 'execute' }>

/** A plain read: no row, perhaps a cache entry. */
export function performRead(call: Call, work: Execute, parts: PipelineContext): Promise<Answer> {
  if (call.tool.contract.cache !== undefined) return shared(call, work, parts)
  return call.tool.contract.fallback === undefined
    ? read(call, work, parts)
    : readOrFallBack(call, work, parts)
}

// one flight a key: whoever comes while it is in the air waits for the same answer
function shared(call: Call, work: Execute, parts: PipelineContext): Promise<Answer> {
  const key = cacheKey(call, parts)
  const flying = parts.flights.get(key)
  if (flying !== undefined) return join(flying, call, parts)
  const land = new AbortController()
  // a hasty caller's deadline is its own: the flight has the time the contract gives it
  const deadlineTicks = parts.clock.ticks() + callBudgetMs(call.tool.contract)
  const answer = readOrFallBack({ ...call, signal: land.signal, deadlineTicks }, work, parts).then(
    (done) => keep(key, done, call, parts),
  )
  const flight: Flight = { answer, waiting: 0, land }
  parts.flights.set(key, flight)
  const leave = (): void => {
    if (parts.flights.get(key) === flight) parts.flights.delete(key)
  }
  answer.then(leave, leave)
  // nobody joins a flight that everybody has left
  land.signal.addEventListener('abort', leave, { once: true })
  return join(flight, call, parts)
}

async function keep(key: string, answer: Answer, call: Call, parts: PipelineContext): Promise<Answer> {
  const { cache } = call.tool.contract
  if (cache === undefined || answer.status !== 'done' || answer.source !== 'executed') return answer
  // a cache is a store like any other, and secrets are not for it
  if (holdsSecret(call.tool.output.shape)) return answer
  const entry: CacheEntry = {
    data: answer.data,
    warnings: answer.warnings,
    output: { hash: answer.output.hash, bytes: answer.output.bytes },
  }
  try {
    await parts.stores.cache.set(key, JSON.stringify(entry), cache.ttlMs(call.input))
  } catch {
    // not kept: the next one asks again
  }
  return answer
}

async function readOrFallBack(call: Call, work: Execute, parts: PipelineContext): Promise<Answer> {
  try {
    return await read(call, work, parts)
  } catch (thrown) {
    return fallBack(call, scrub(toToolError(thrown), call), parts)
  }
}

async function read(call: Call, work: Execute, parts: PipelineContext): Promise<Answer> {
  const given = { ports: parts.providers.of(call.tool), idempotencyKey: call.key }
  const raw = await withRetries(call, parts, () =>
    attempt(call, parts, (current) => work.execute(new CallExecution(call, parts, current, given))),
  )
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) throw invalidOutput(call.tool.id, checked.problem, call.id)
  return executed(checked)
}

function executed(
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

// a fallback stands in for trouble, never for a refusal: "you may not" and "it broke" must not read the same
async function fallBack(call: Call, error: ToolError, parts: PipelineContext): Promise<Answer> {
  const { fallback } = call.tool.contract
  if (
    fallback === undefined ||
    (errorRow(error.code).status === 'failed' && !errorRow(error.code).retryable)
  )
    throw error
  const moment = {
    input: call.input,
    ports: parts.providers.of(call.tool) as never,
    caller: call.caller,
    now: parts.clock.now,
  }
  const raw = await inTime(call, parts, Promise.resolve(fallback(moment, error)))
  if (raw === undefined) throw error
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) throw invalidOutput(call.tool.id, checked.problem, call.id)
  return {
    ...executed(checked),
    source: 'fallback',
    warnings: [...checked.warnings, `This is a stand-in: ${error.message}`],
  }
}
