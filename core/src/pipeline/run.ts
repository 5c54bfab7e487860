import type { Call } from '../call/call.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import type { Tool } from '../define/tool.ts'
import { admit } from './admit.ts'
import { approve } from './approve.ts'
import { authorize } from './authorize.ts'
import { type Begun, begin } from './begin.ts'
import { defer } from './defer.ts'
import { failed } from './failed.ts'
import type { Parts } from './parts.ts'
import { perform } from './perform.ts'
import { recall } from './recall.ts'
import { record, type Walked } from './record.ts'
import { replay } from './replay.ts'
import { resolve } from './resolve.ts'
import { answering, gate } from './stage.ts'
import { validate } from './validate.ts'

/** The way of every call, whichever door it came by: it walks the line, and is recorded however it ended. */
export async function runCall(request: CallRequest, parts: Parts): Promise<Outcome> {
  const begun = begin(request, parts)
  return record(begun, await walk(request, begun, parts), parts)
}

// the order is a security property: rights before answers, answers before quota, quota before people, people before effects
async function walk(request: CallRequest, begun: Begun, parts: Parts): Promise<Walked> {
  let tool: Tool | undefined
  let call: Call | undefined
  try {
    tool = gate(resolve, request, begun, parts)
    call = gate(validate, { begun, request, tool }, begun, parts)
    gate(authorize, call, begun, parts)
    const answer =
      (await answering(replay, call, begun, parts)) ?? // this key was answered before
      (await answering(recall, call, begun, parts)) ?? // the cache knows
      (await answering(admit, call, begun, parts)) ?? // not now, or not so often
      (await answering(approve, call, begun, parts)) ?? // a person must say yes first
      (await answering(defer, call, begun, parts)) ?? // a worker will do it
      (await answering(perform, call, begun, parts)) // do it now, and keep the answer
    return { request, tool, call, answer }
  } catch (thrown) {
    return { request, tool, call, answer: failed(thrown) }
  }
}
