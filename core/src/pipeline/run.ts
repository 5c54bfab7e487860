import type { Call } from '../call/call.ts'
import type { Answer, Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { admit } from './admit.ts'
import { approve } from './approve.ts'
import { authorize } from './authorize.ts'
import { begin } from './begin.ts'
import { defer } from './defer.ts'
import { failed } from './failed.ts'
import type { Parts } from './parts.ts'
import { perform } from './perform.ts'
import { recall } from './recall.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { resolve } from './resolve.ts'
import { scrub } from './scrub.ts'
import { type AnsweringStage, answering, gate } from './stage.ts'
import { validate } from './validate.ts'

/**
 * The stages that may answer. The order is a security property:
 * rights before answers, answers before quota, quota before people, people before effects.
 */
const LINE: readonly AnsweringStage[] = [
  replay, // this key was answered before
  recall, // the cache knows
  admit, // not now, or not so often
  approve, // a person must say yes first
  defer, // a worker will do it
  perform, // do it now, and keep the answer
]

/** The way of every call, whichever door it came by: it walks the line, and is recorded however it ended. */
export async function runCall(request: CallRequest, parts: Parts): Promise<Outcome> {
  const begun = begin(request, parts)
  let tool: Tool | undefined
  let call: Call | undefined
  let answer: Answer | undefined
  try {
    tool = gate(resolve, request, begun, parts)
    call = gate(validate, { begun, request, tool }, begun, parts)
    gate(authorize, call, begun, parts)
    for (const stage of LINE) {
      const coming = answering(stage, call, begun, parts)
      // a stage with nothing to do for this tool answers at once, and costs no turn of the loop
      answer = coming instanceof Promise ? await coming : coming
      if (answer !== undefined) break
    }
  } catch (thrown) {
    const error = toToolError(thrown)
    answer = failed(call === undefined ? error : scrub(error, call))
  }
  return record(begun, { request, tool, call, answer: answer ?? unanswered() }, parts)
}

// perform always answers; the compiler can't know
function unanswered(): Answer {
  return failed(new ToolError('TOOL_INTERNAL_ERROR', 'No stage answered.'))
}
