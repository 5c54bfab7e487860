import { approvalRule } from '../approvals/rule.ts'
import type { CallRequest } from '../call/request.ts'
import { authorize } from './authorize.ts'
import { begin } from './begin.ts'
import type { PipelineContext } from './parts.ts'
import { resolve } from './resolve.ts'
import { validate } from './validate.ts'

/** Whether somebody would have to say yes to this call: nothing is asked, taken or recorded. A call that would be refused asks nobody. */
export async function asksFirst(request: CallRequest, parts: PipelineContext): Promise<boolean> {
  await parts.administration.ready(request.caller.tenant)
  try {
    const call = validate(
      { begun: begin(request, parts), request, tool: resolve(request, parts) },
      parts,
    )
    authorize(call, parts)
    return approvalRule(call, parts.scheme) !== undefined
  } catch {
    return false
  }
}
