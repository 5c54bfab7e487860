import { interrupt } from '@langchain/langgraph'
import type { Outcome } from '@surehand/core'
import { modelInputSchema, wireName } from '@surehand/core/host'
import type { Approval, Question } from '@surehand/core/ports'
import type { Asked } from './asked.ts'
import type { ModelCall } from './model-call.ts'
import { ownCallId } from './open-question.ts'
import type { Surface } from './options.ts'
import { shownArgs } from './shown-args.ts'

/** An approval as LangChain's human-in-the-loop middleware asks it; answered by `{ decisions: [decision] }`. */
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
  readonly surehand: Asked
}

/** What a run wants to know of a person; answered by `{ answer }`, or left alone by `{ declined: true }`. */
export type QuestionRequest = {
  readonly question: {
    readonly asks: string
    readonly schema: unknown
    readonly draft?: unknown
    readonly description: string
    readonly expires_at: string
  }
  readonly surehand: Asked
}

/** For which call it is asked, after how many answers, and why again. */
export type Round = {
  readonly call: ModelCall
  readonly ordinal: number
  readonly problem: string | undefined
}

const NOT_RELAYED =
  'An approval given here does not count: it is decided with a credential of the decider’s own. Go on with approve once that is done.'

/** Asks through the graph. It comes back only by throwing, unless the graph has an answer that nobody knows the question of. */
export function askPerson(outcome: Outcome, round: Round, surface: Surface): void {
  // what a step asks is waited for by the run it belongs to, which is what the model called
  const callId = ownCallId(outcome, round.call) ?? outcome.facts.callId
  if (outcome.status === 'pending')
    interrupt(approvalRequest(outcome.approval, { ...round, callId }, surface))
  if (outcome.status === 'asking')
    interrupt(questionRequest(outcome.question, { ...round, callId }))
}

type KeptRound = Round & { readonly callId: string }

function approvalRequest(
  approval: Approval,
  round: KeptRound,
  { runtime, approvalUrl, host }: Surface,
): ApprovalRequest {
  const { tool: called } = round.call
  const isOwn = approval.toolId === called.id
  const tool = isOwn ? called : runtime.tools().find(({ id }) => id === approval.toolId)
  const name = wireName(approval.toolId)
  const stepOf = isOwn ? undefined : `It is a step of ${called.id}.`
  const where =
    approvalUrl === undefined
      ? undefined
      : `A person can decide here as well: ${approvalUrl(approval.id)}`
  // asking in vain is worse than not asking: the desk takes a relayed approval for small things alone
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
        // an edit is another wish of the model's: a step is wished by its run
        allowedDecisions: isOwn ? ['approve', 'edit', 'reject'] : ['approve', 'reject'],
        ...(tool === undefined ? {} : { argsSchema: modelInputSchema(tool) }),
      },
    ],
    surehand: { ...placeOf(round), kind: 'approval', id: approval.id, digest: approval.digest },
  }
}

function questionRequest(question: Question, round: KeptRound): QuestionRequest {
  const { id, digest, asks, schema, draft, shown, expiresAt } = question
  return {
    question: {
      asks,
      schema: JSON.parse(schema) as unknown,
      ...(draft === '' ? {} : { draft: JSON.parse(draft) as unknown }),
      description: lines(asks, round.problem, shown),
      expires_at: new Date(expiresAt).toISOString(),
    },
    surehand: { ...placeOf(round), kind: 'question', id, digest },
  }
}

function placeOf({ call: { tool, id = '', edits }, ordinal, callId }: KeptRound) {
  return { tool: tool.id, tool_call_id: id, call_id: callId, edits, ordinal }
}

function lines(...given: readonly (string | undefined)[]): string {
  return given.filter((line) => line !== undefined).join('\n\n')
}
