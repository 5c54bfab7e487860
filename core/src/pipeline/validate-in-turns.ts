import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import { guardInTurns, parseJsonInTurns } from '../call/json-in-turns/parse-json-in-turns.ts'
import { partText } from '../call/json-in-turns/parted-text.ts'
import type { CallRequest } from '../call/request.ts'
import { parseInTurns } from '../define/parse-in-turns.ts'
import { invalidInput } from '../define/problems.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import type { PipelineContext } from './context.ts'
import {
  type ResolvedRequest,
  requireObject,
  settleInput,
  toCall,
  toJsonInput,
} from './validate.ts'

/**
 * Does what `validate` does, for a large input: it is parsed, checked, compared with its schema,
 * written and hashed in parts of a few milliseconds. A megabyte takes up to a second in one piece,
 * in which nothing else is served.
 */
export async function validateInTurns(
  resolved: ResolvedRequest,
  pace: Pace,
  context: PipelineContext,
): Promise<Call> {
  const { request, tool } = resolved
  const raw = await readInputInTurns(request, tool, pace)
  const { key, input } = settleInput(requireObject(raw), resolved)
  await pace()
  const parsed = await parseInTurns(tool.input, input, pace)
  if (!parsed.ok) throw invalidInput(tool, parsed.problems)
  await pace()
  const canonical = await tool.input.writeInTurns(parsed.value, pace)
  return toCall({ key, value: parsed.value, canonical }, resolved, context)
}

/** What a surface has parsed from JSON is checked again, as small inputs are. */
async function readInputInTurns(request: CallRequest, tool: Tool, pace: Pace): Promise<unknown> {
  const { maxInputBytes } = tool.contract
  const text = request.longJson ?? (request.json === undefined ? undefined : partText(request.json))
  if (text === undefined) {
    const input = toJsonInput(request, tool)
    await guardInTurns(input, maxInputBytes, pace)
    return input
  }
  const { value, problem } = await parseJsonInTurns(text, maxInputBytes, pace)
  if (problem !== undefined) throw problem
  return value
}
