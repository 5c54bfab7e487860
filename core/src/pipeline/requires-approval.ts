import type { CallRequest } from '../call/request.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { findApprovalRule } from './approve.ts'
import { authorize } from './authorize.ts'
import type { PipelineContext } from './context.ts'
import { resolve } from './resolve.ts'
import { startCall } from './run.ts'
import { validate } from './validate.ts'

/**
 * Whether this call would need an approval. Nothing is requested, counted or recorded, and a call
 * that would be refused needs none.
 */
export async function requiresApproval(
  request: CallRequest,
  context: PipelineContext,
): Promise<boolean> {
  await context.administration.ready(request.caller.tenant)
  try {
    return authorizeRequest(request, context).rule !== undefined
  } catch {
    return false
  }
}

/**
 * Resolves, validates and authorizes a request without executing it; throws what those stages
 * throw.
 */
export function authorizeRequest(
  request: CallRequest,
  context: PipelineContext,
  callId?: string,
): { readonly call: Call; readonly rule: NormalApproval | undefined } {
  const started = startCall(request, context)
  const start = callId === undefined ? started : { ...started, callId }
  const call = validate({ start, request, tool: resolve(request, context) }, context)
  authorize(call, context)
  return { call, rule: findApprovalRule(call, context.scheme) }
}
