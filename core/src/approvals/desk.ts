import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import { authorize } from '../pipeline/authorize.ts'
import { begin } from '../pipeline/begin.ts'
import { newCall } from '../pipeline/new-call.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import { resolve } from '../pipeline/resolve.ts'
import { validate } from '../pipeline/validate.ts'
import type { Approval, ApprovalState, Decided } from '../ports/approvals.ts'
import { decisionEntry, editEntry } from './decision-entry.ts'
import { type Credential, maySee, refuseDecider } from './may-decide.ts'
import { question } from './question.ts'
import { approvalRule } from './rule.ts'

export type DecisionForm = {
  readonly verdict: 'approve' | 'deny'
  /** Of what was shown: a decision is about what the decider saw, not about what is stored by now. */
  readonly digest: string
  readonly reason?: string
  readonly credential?: Credential
}

/** Where people look at questions and answer them. */
export type ApprovalsApi = {
  readonly list: (tenant: string, state?: ApprovalState) => Promise<readonly Approval[]>
  readonly get: (tenant: string, id: string) => Promise<Approval>
  /** The questions this viewer may look at: their own, and everybody's for those who may decide them. */
  readonly listFor: (viewer: Caller, state?: ApprovalState) => Promise<readonly Approval[]>
  /** One of them; another's looks like a missing one. */
  readonly getFor: (viewer: Caller, id: string) => Promise<Approval>
  readonly decide: (decider: Caller, id: string, decision: DecisionForm) => Promise<Approval>
  /** An edit is a new input: validated and authorized again, asked as a new question in place of the old. */
  readonly edit: (editor: Caller, id: string, input: unknown) => Promise<Approval>
}

/** `onYes` drives a call on where no worker is alive to do it. */
export function createDesk(
  parts: PipelineContext,
  onYes: (decided: Pick<Approval, 'tenant' | 'callId'>) => Promise<void>,
): ApprovalsApi {
  async function get(tenant: string, id: string): Promise<Approval> {
    const found = await parts.stores.approvals.get(tenant, id)
    if (found === undefined) throw missing(id)
    return found
  }

  // a run whose step got a no goes on with it
  async function wakeParent({ tenant, callId }: Approval): Promise<void> {
    const parentId = (await parts.stores.calls.get(tenant, callId))?.parentId
    if (parentId !== undefined) await onYes({ tenant, callId: parentId })
  }

  return {
    get,
    list: async (tenant, state) => parts.stores.approvals.list(tenant, state),
    async listFor(viewer, state) {
      const approvals = await parts.stores.approvals.list(viewer.tenant, state)
      return approvals.filter((approval) => maySee(viewer, approval, parts.scheme))
    },
    async getFor(viewer, id) {
      const approval = await get(viewer.tenant, id)
      if (!maySee(viewer, approval, parts.scheme)) throw missing(id)
      return approval
    },
    async decide(decider, id, form) {
      // a person is asked once: whoever decides is judged by what holds now, not by what this process knew
      await parts.administration.reload(decider.tenant)
      const approval = await get(decider.tenant, id)
      const credential = form.credential ?? { kind: 'own' }
      refuseDecider(decider, approval, credential, {
        policy: parts.policyOf(decider.tenant),
        scheme: parts.scheme,
      })
      if (form.digest !== approval.digest) throw changed(id)
      const host = credential.kind === 'attested' ? credential.host : undefined
      const decision = {
        verdict: form.verdict,
        by: decider.principal,
        credential: credential.kind,
        host,
        reason: form.reason,
      }
      const decided = settled(
        id,
        await parts.stores.approvals.decide(
          decider.tenant,
          id,
          decision,
          decisionEntry(approval, decision, decider, parts),
        ),
      )
      if (form.verdict === 'approve') await onYes(decided)
      else await wakeParent(decided)
      return decided
    },
    async edit(editor, id, input) {
      await parts.administration.reload(editor.tenant)
      const approval = await get(editor.tenant, id)
      refuseDecider(
        editor,
        approval,
        { kind: 'own' },
        { policy: parts.policyOf(editor.tenant), scheme: parts.scheme },
      )
      const row = await parts.stores.calls.get(editor.tenant, approval.callId)
      if (row === undefined) throw missing(id)
      const request = {
        tool: row.toolId,
        input,
        caller: row.caller,
        surface: row.surface,
        requestId: row.requestId,
        // a key that comes from the input is made anew from the edited one
        ...(row.keySource === 'derived' ? {} : { idempotencyKey: row.key }),
      }
      const tool = resolve(request, parts)
      const call = validate(
        { begun: { ...begin(request, parts), callId: row.callId }, request, tool },
        parts,
      )
      if (call.key !== row.key) throw anotherWish(tool.id)
      authorize(call, parts)
      const rule = approvalRule(call, parts.scheme)
      if (rule === undefined)
        throw new ToolError(
          'TOOL_INVALID_INPUT',
          `${tool.id} with this input needs nobody's yes: call it instead.`,
        )
      const edited = question(
        call,
        rule,
        parts.entropy.newId('appr', parts.clock.now()),
        editor.principal,
      )
      const change = {
        question: edited,
        call: newCall(call, parts),
        audit: editEntry(edited, approval, editor, parts),
      }
      return settled(id, await parts.stores.approvals.replace(editor.tenant, id, change))
    },
  }
}

function settled(id: string, decided: Decided): Approval {
  switch (decided.kind) {
    case 'decided':
      return decided.approval
    case 'closed':
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The question ${id} is ${decided.approval.state} already.`,
        {
          details: { source_code: `approval_${decided.approval.state}`, approval_id: id },
        },
      )
    case 'missing':
      throw missing(id)
  }
}

function missing(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no question ${id}.`, {
    details: { approval_id: id },
  })
}

function anotherWish(toolId: string): ToolError {
  return new ToolError(
    'TOOL_IDEMPOTENCY_CONFLICT',
    `With this input ${toolId} means something else than was asked for: deny the question, and call it anew.`,
  )
}

function changed(id: string): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `What you saw is not what is asked: look at the question ${id} again.`,
    {
      details: {
        validation_errors: [
          {
            field: 'digest',
            error: 'is not the digest of what is shown now',
            provided_value: null,
          },
        ],
      },
    },
  )
}
