import { interrupt } from '@langchain/langgraph'
import { type Approval, modelInputSchema, type Question, wireName } from '@surehand/core'
import type { Asked } from './asked.ts'
import { isRecord } from './is-record.ts'
import type { ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'

/** An approval as LangChain's human-in-the-loop middleware asks it; answered by `{ decisions: [decision] }`. */
export type ApprovalRequest = {
  readonly actionRequests: readonly [
    { readonly name: string; readonly args: Readonly<Record<string, unknown>>; readonly description: string },
  ]
  readonly reviewConfigs: readonly [
    {
      readonly actionName: string
      readonly allowedDecisions: readonly ('approve' | 'edit' | 'reject')[]
      readonly argsSchema: Readonly<Record<string, unknown>>
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
export type Round = { readonly call: ModelCall; readonly ordinal: number; readonly problem: string | undefined }

const NOT_RELAYED =
  'A yes given here does not count: it is decided with a credential of the decider’s own. Go on with approve once that is done.'

/** Asks for a yes through the graph. It comes back only by throwing, unless the graph has an answer that nobody knows the question of. */
export function askApproval(approval: Approval, round: Round, { approvalUrl, host }: Surface): void {
  const { tool } = round.call
  const name = wireName(tool.id)
  const shown: unknown = JSON.parse(approval.shown)
  const input = isRecord(shown) && isRecord(shown.input) ? shown.input : {}
  const where = approvalUrl === undefined ? undefined : `A person can decide here as well: ${approvalUrl(approval.id)}`
  // asking in vain is worse than not asking: the desk takes a relayed yes for small things alone
  const mayBeRelayed = approval.kind === 'confirm' && approval.reversible && host !== undefined
  const description = lines(approval.asks, round.problem, approval.shown, where, mayBeRelayed ? undefined : NOT_RELAYED)
  const request: ApprovalRequest = {
    actionRequests: [{ name, args: input, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'edit', 'reject'], argsSchema: modelInputSchema(tool) }],
    surehand: {
      ...placeOf(round),
      kind: 'approval',
      id: approval.id,
      digest: approval.digest,
      call_id: approval.callId,
    },
  }
  interrupt(request)
}

/** Asks what a run wants to know likewise. */
export function askQuestion(question: Question, round: Round): void {
  const { id, digest, asks, schema, draft, shown, expiresAt } = question
  const request: QuestionRequest = {
    question: {
      asks,
      schema: JSON.parse(schema) as unknown,
      ...(draft === '' ? {} : { draft: JSON.parse(draft) as unknown }),
      description: lines(asks, round.problem, shown),
      expires_at: new Date(expiresAt).toISOString(),
    },
    surehand: { ...placeOf(round), kind: 'question', id, digest, call_id: question.callId },
  }
  interrupt(request)
}

function placeOf({ call: { tool, id = '', edits }, ordinal }: Round) {
  return { tool: tool.id, tool_call_id: id, edits, ordinal }
}

function lines(...given: readonly (string | undefined)[]): string {
  return given.filter((line) => line !== undefined).join('\n\n')
}
