import { interrupt } from '@langchain/langgraph'
import type { Outcome } from '@surehand/core'
import { modelInputSchema, wireName } from '@surehand/core/host'
import type { Approval, Question } from '@surehand/core/ports'
import type { InterruptReference } from './interrupt-reference.ts'
import type { ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { ownCallId } from './pending-request.ts'
import { shownArgs } from './shown-args.ts'

/**
 * An approval request in the format of LangChain's human-in-the-loop middleware. Resume with `{
 * decisions: [decision] }`.
 */
export type ApprovalRequest = {
  readonly actionRequests: readonly [
    {
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
      readonly description: string
    },
  ]
  readonly reviewConfigs: readonly [
    {
      readonly actionName: string
      readonly allowedDecisions: readonly ('approve' | 'edit' | 'reject')[]
      readonly argsSchema?: Readonly<Record<string, unknown>>
    },
  ]
  readonly surehand: InterruptReference
}

/**
 * A question of a run to a person. Resume with `{ answer }`, or with `{ declined: true }` to leave
 * it open.
 */
export type QuestionRequest = {
  readonly question: {
    readonly asks: string
    readonly schema: unknown
    readonly draft?: unknown
    readonly description: string
    readonly expires_at: string
  }
  readonly surehand: InterruptReference
}

/**
 * The call a person is asked for, how many resume values the task has received, and why the request
 * is repeated.
 */
export type Round = {
  readonly call: ModelCall
  readonly ordinal: number
  readonly problem: string | undefined
}

const NOT_RELAYED =
  'An approval given here does not count: a person decides this with their own credential. Resume with approve once it is decided.'

/**
 * Interrupts the graph with the pending request. `interrupt` throws; it returns only if the graph
 * has a resume value left over.
 */
export function askPerson(outcome: Outcome, round: Round, surface: Surface): void {
  // The request of a step belongs to the run that the model called, so that the run's id is stored.
  const callId = ownCallId(outcome, round.call) ?? outcome.facts.callId
  if (outcome.status === 'pending')
    interrupt(approvalRequest(outcome.approval, { ...round, callId }, surface))
  if (outcome.status === 'asking')
    interrupt(questionRequest(outcome.question, { ...round, callId }))
}

type RoundOfCall = Round & { readonly callId: string }

function approvalRequest(
  approval: Approval,
  round: RoundOfCall,
  { runtime, approvalUrl, host }: Surface,
): ApprovalRequest {
  const { tool: called } = round.call
  const isOwn = approval.toolId === called.id
  const tool = isOwn ? called : runtime.tools().find(({ id }) => id === approval.toolId)
  const name = wireName(approval.toolId)
  const stepOf = isOwn ? undefined : `It is a step of ${called.id}.`
  const where =
    approvalUrl === undefined ? undefined : `It can also be decided at ${approvalUrl(approval.id)}`
  // Relayed approvals count only for reversible confirmations; the text warns the person before
  // they decide in vain.
  const mayBeRelayed = approval.kind === 'confirm' && approval.reversible && host !== undefined
  const description = lines(
    approval.asks,
    round.problem,
    stepOf,
    approval.shown,
    where,
    mayBeRelayed ? undefined : NOT_RELAYED,
  )
  return {
    actionRequests: [{ name, args: shownArgs(approval, tool), description }],
    reviewConfigs: [
      {
        actionName: name,
        // An edit replaces the model's call. The input of a step comes from its run and cannot be
        // edited.
        allowedDecisions: isOwn ? ['approve', 'edit', 'reject'] : ['approve', 'reject'],
        ...(tool === undefined ? {} : { argsSchema: modelInputSchema(tool) }),
      },
    ],
    surehand: {
      ...callReference(round),
      kind: 'approval',
      id: approval.id,
      digest: approval.digest,
    },
  }
}

function questionRequest(question: Question, round: RoundOfCall): QuestionRequest {
  const { id, digest, asks, schema, draft, shown, expiresAt } = question
  return {
    question: {
      asks,
      schema: JSON.parse(schema) as unknown,
      ...(draft === '' ? {} : { draft: JSON.parse(draft) as unknown }),
      description: lines(asks, round.problem, shown),
      expires_at: new Date(expiresAt).toISOString(),
    },
    surehand: { ...callReference(round), kind: 'question', id, digest },
  }
}

function callReference({ call: { tool, id = '', edits }, ordinal, callId }: RoundOfCall) {
  return { tool: tool.id, tool_call_id: id, call_id: callId, edits, ordinal }
}

function lines(...given: readonly (string | undefined)[]): string {
  return given.filter((line) => line !== undefined).join('\n\n')
}
