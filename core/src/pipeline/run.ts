import type { Call } from '../call/call.ts'
import type { Answer, Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { admit } from './admit.ts'
import { approve } from './approve.ts'
import { authorize } from './authorize.ts'
import { type Begun, begin } from './begin.ts'
import { defer } from './defer.ts'
import { failed } from './failed.ts'
import { ADMINISTRATION_CHANGED } from './outdated.ts'
import type { PipelineContext } from './parts.ts'
import { perform } from './perform.ts'
import { recall } from './recall.ts'
import { record, type Walked } from './record.ts'
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

// an administrator who changes something with every breath must not hold a call up for ever
const MOST_WALKS = 3

/** The way of every call, whichever door it came by: it walks the line, and is recorded however it ended. */
export async function runCall(request: CallRequest, parts: PipelineContext): Promise<Outcome> {
  let begun = begin(request, parts)
  let walked = await walk(begun, request, parts)
  for (let walks = 1; walks < MOST_WALKS && isOutdated(walked.answer); walks++) {
    await parts.administration.reload(begun.tenant).catch(() => undefined)
    begun = {
      ...begun,
      adminVersion: parts.administration.versionOf(begun.tenant),
      isCounted: true,
    }
    walked = await walk(begun, request, parts)
  }
  return record(begun, walked, parts)
}

async function walk(begun: Begun, request: CallRequest, parts: PipelineContext): Promise<Walked> {
  let tool: Tool | undefined
  let call: Call | undefined
  let answer: Answer | undefined
  try {
    const loading = parts.administration.ready(begun.tenant)
    const judged = loading === undefined ? begun : await loaded(begun, loading, parts)
    tool = gate(resolve, request, judged, parts)
    call = gate(validate, { begun: judged, request, tool }, judged, parts)
    gate(authorize, call, judged, parts)
    for (const stage of LINE) {
      const coming = answering(stage, call, judged, parts)
      // a stage with nothing to do for this tool answers at once, and costs no turn of the loop
      answer = coming instanceof Promise ? await coming : coming
      if (answer !== undefined) break
    }
  } catch (thrown) {
    const error = toToolError(thrown)
    answer = failed(call === undefined ? error : scrub(error, call))
  }
  return { request, tool, call, answer: answer ?? unanswered() }
}

async function loaded(begun: Begun, loading: Promise<void>, parts: PipelineContext): Promise<Begun> {
  await loading
  return { ...begun, adminVersion: parts.administration.versionOf(begun.tenant) }
}

function isOutdated(answer: Answer): boolean {
  return answer.status === 'failed' && answer.error.details?.source_code === ADMINISTRATION_CHANGED
}

// perform always answers; the compiler can't know
function unanswered(): Answer {
  return failed(new ToolError('TOOL_INTERNAL_ERROR', 'No stage answered.'))
}
