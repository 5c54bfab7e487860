import type { z } from 'zod'
import { APPROVAL_EXPIRES } from '../call/approval.ts'
import { hashJson, sha256 } from '../call/canonical.ts'
import type { Question } from '../call/question.ts'
import { ToolError } from '../call/tool-error.ts'
import { toMs } from '../define/duration.ts'
import { digestOf, holdsSecret, redact, secretFields } from '../define/redact.ts'
import type { AskOptions } from '../define/run.ts'
import { type Problem, type Schema, zodSchema } from '../define/schema.ts'
import { visibleJson, visibleText } from '../define/visible.ts'
import type { JournalEntry, NewQuestion } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import {
  type OperationResult,
  replayAnswer,
  toJournalError,
  toJournalValue,
  WAITING,
} from './journal.ts'

/** A question before it is stored. */
type QuestionSpec = {
  readonly path: string
  readonly asks: string
  readonly schema: Schema
  readonly from: NewQuestion['from']
  readonly draft: unknown
  readonly otherwise: unknown
  readonly expiresMs: number
  readonly hash: string
}

export function toQuestionSpec(
  schema: z.ZodType | Schema,
  asks: string,
  options: AskOptions<unknown>,
  prefix: string,
): QuestionSpec {
  const { from = 'person', shows, otherwise, timeout = APPROVAL_EXPIRES } = options
  const compiled = '_zod' in schema ? zodSchema(schema) : schema
  return {
    path: `${prefix}${options.id ?? 'ask'}`,
    asks,
    schema: compiled,
    from,
    draft: shows,
    otherwise,
    expiresMs: toMs(timeout),
    hash: hashJson({ asks, from, schema: compiled.toJson('input'), shows: shows ?? null }),
  }
}

/**
 * Asks a question once per path. An answer that does not match the schema is asked for again, under
 * the path with a number.
 */
export async function ask(spec: QuestionSpec, drive: Drive): Promise<OperationResult> {
  for (let round = 1, problem: string | undefined; ; round++) {
    const path = round === 1 ? spec.path : `${spec.path}~${round}`
    const found = drive.journal.at(path)
    if (found !== undefined && (found.what !== 'ask' || found.inputHash !== spec.hash))
      return drive.diverge(path, found, 'a question')
    if (found?.answer !== undefined) return parseAnswer(replayAnswer(found.answer), spec)
    if (drive.mode !== 'forward') return WAITING
    const question =
      found === undefined
        ? await storeQuestion({ ...spec, path }, drive, problem)
        : await drive.context.stores.runs.question(drive.row.tenant, found.child)
    if (question === undefined) return WAITING
    const settled = settleQuestion(question, { ...spec, path }, drive)
    if (settled.kind !== 'invalid') return settled
    problem = settled.problem
  }
}

type Settled = OperationResult | { readonly kind: 'invalid'; readonly problem: string }

function settleQuestion(question: Question, spec: QuestionSpec, drive: Drive): Settled {
  const entry = drive.journal.at(spec.path)
  if (entry === undefined) return WAITING
  switch (question.state) {
    case 'open':
      drive.waitFor({ question: question.id, until: question.expiresAt })
      return WAITING
    case 'answered': {
      const value: unknown = JSON.parse(question.answer?.json ?? 'null')
      const parsed = spec.schema.parse(value)
      if (!parsed.ok) return { kind: 'invalid', problem: describeProblems(parsed.problems) }
      drive.journal.put({ ...entry, answer: toJournalValue(value) })
      return { kind: 'value', value: parsed.value }
    }
    case 'expired':
    case 'closed': {
      if (spec.otherwise === undefined) {
        const error = unansweredError(question)
        drive.journal.put({ ...entry, answer: toJournalError(error) })
        return { kind: 'error', error }
      }
      drive.journal.put({ ...entry, answer: toJournalValue(spec.otherwise) })
      return parseAnswer({ kind: 'value', value: spec.otherwise }, spec)
    }
  }
}

async function storeQuestion(
  spec: QuestionSpec,
  drive: Drive,
  problem: string | undefined,
): Promise<Question | undefined> {
  if (!(await drive.flushJournal())) return undefined
  const question = newQuestion(spec, drive, problem)
  const entry = toJournalEntry(spec, question)
  const asked = await drive.context.stores.runs.ask(drive.claimFence(), question, entry)
  if (asked === undefined) drive.end({ kind: 'lost' })
  else drive.journal.addWritten({ ...entry, child: asked.id })
  return asked
}

// The answer matched the schema when it was stored; the code may have changed its schema since.
function parseAnswer(result: OperationResult, spec: QuestionSpec): OperationResult {
  if (result.kind !== 'value') return result
  const parsed = spec.schema.parse(result.value)
  if (parsed.ok) return { kind: 'value', value: parsed.value }
  return {
    kind: 'error',
    error: new ToolError(
      'TOOL_RUN_DIVERGED',
      `The stored answer to "${spec.path}" does not match the schema that the code asks with now.`,
    ),
  }
}

function describeProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ field, error }) => `${field === '' ? 'the answer' : field} ${error}`)
    .join('; ')
}

function unansweredError(question: Question): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The question was not answered in time: ${question.asks}`,
    {
      details: { source_code: 'question_expired', question_id: question.id },
      suggestions: ['Call it again when a person is available to answer.'],
    },
  )
}

/**
 * The question with everything the answering person must see, and the digest that ties the answer
 * to it.
 */
function newQuestion(spec: QuestionSpec, drive: Drive, problem: string | undefined): NewQuestion {
  const { call, context } = drive
  const asks = visibleText(spec.asks)
  const draft =
    spec.draft === undefined ? undefined : redact(spec.schema.shape, spec.draft, digestOf)
  const shown = JSON.stringify({
    tool: call.tool.id,
    title: visibleText(call.tool.title),
    version: call.tool.version,
    asked_by: visibleText(call.caller.principal),
    actor: call.caller.actor,
    from: spec.from,
    asks,
    ...(problem === undefined ? {} : { problem: visibleText(problem) }),
    ...(draft === undefined ? {} : { draft: visibleJson(draft) }),
    // A page that asks for these fields does not show what is typed.
    ...(holdsSecret(spec.schema.shape) ? { sensitive: secretFields(spec.schema.shape) } : {}),
  })
  return {
    id: context.entropy.newId('ques', context.clock.now()),
    tenant: call.caller.tenant,
    principal: call.caller.principal,
    callId: call.id,
    toolId: call.tool.id,
    path: spec.path,
    asks,
    from: spec.from,
    schema: JSON.stringify(spec.schema.toJson('input')),
    draft: spec.draft === undefined ? '' : JSON.stringify(spec.draft),
    shown,
    digest: sha256(shown),
    isSecret: holdsSecret(spec.schema.shape),
    expiresMs: spec.expiresMs,
  }
}

function toJournalEntry(spec: QuestionSpec, question: NewQuestion): JournalEntry {
  return {
    path: spec.path,
    what: 'ask',
    tool: '',
    inputHash: spec.hash,
    child: question.id,
    isWrite: false,
    isSecret: question.isSecret,
    answer: undefined,
    undo: undefined,
  }
}
