import { type Credential, maySee } from '../approvals/may-decide.ts'
import type { Caller } from '../call/caller.ts'
import { guardJson } from '../call/json.ts'
import { invalidAnswer } from '../call/problems.ts'
import { ToolError } from '../call/tool-error.ts'
import type { JsonSchema } from '../define/json-schema.ts'
import type { Problem } from '../define/schema.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { ForeignSchemas } from '../ports/foreign-schema.ts'
import type { Answered, GivenAnswer, Question, QuestionState } from '../ports/runs.ts'
import { answererOf, takesFrom } from './may-answer.ts'

const MOST_BYTES = 1_048_576

export type AnswerForm = {
  readonly answer: unknown
  /** Of what was shown; whoever answers as a person brings it. */
  readonly digest?: string
  readonly credential?: Credential
}

/** Where people, and the models that called, look at the questions of runs and answer them. */
export type QuestionsApi = {
  readonly listFor: (viewer: Caller, state?: QuestionState) => Promise<readonly Question[]>
  /** One of them; another's looks like a missing one. */
  readonly getFor: (viewer: Caller, id: string) => Promise<Question>
  readonly answer: (by: Caller, id: string, form: AnswerForm) => Promise<Question>
  /** Whether an answer that this host relays would count: asking a person in vain is worse than not asking. */
  readonly takesFrom: (host: string, question: Question) => Promise<boolean>
}

/** `onAnswer` drives the run on where no worker is alive to do it. */
export function createQuestionDesk(
  parts: PipelineContext,
  schemas: ForeignSchemas | undefined,
  onAnswer: (question: Question) => Promise<void>,
): QuestionsApi {
  async function getFor(viewer: Caller, id: string): Promise<Question> {
    const question = await parts.stores.runs.question(viewer.tenant, id)
    if (question === undefined || !maySee(viewer, question, parts.scheme)) throw missing(id)
    return question
  }

  return {
    getFor,
    async listFor(viewer, state) {
      const questions = await parts.stores.runs.questions({ tenant: viewer.tenant, state })
      return questions.filter((question) => maySee(viewer, question, parts.scheme))
    },
    async answer(by, id, form) {
      // judged by what holds now, as a decision is
      await parts.administration.reload(by.tenant)
      const question = await getFor(by, id)
      const given = answererOf(by, question, form.credential ?? { kind: 'own' }, parts)
      if (given.credential !== 'model' && form.digest !== question.digest) throw changed(question)
      const json = checked(question, form.answer, schemas)
      const answered = settled(
        id,
        json,
        await parts.stores.runs.answer(
          by.tenant,
          id,
          { ...given, json },
          entry(question, given, by, parts),
        ),
      )
      await onAnswer(answered)
      return answered
    },
    async takesFrom(host, question) {
      await parts.administration.reload(question.tenant)
      return takesFrom(host, question, parts)
    },
  }
}

function checked(question: Question, answer: unknown, schemas: ForeignSchemas | undefined): string {
  guardJson(answer, MOST_BYTES)
  if (answer === undefined)
    throw new ToolError('TOOL_MISSING_REQUIRED_FIELD', 'An answer is missing.')
  const parsed = schemas?.compile(JSON.parse(question.schema) as JsonSchema).parse(answer)
  // without a reader of schemas the run itself holds it against its own, and asks again
  if (parsed?.ok === false)
    throw invalidAnswer(
      question.id,
      question.isSecret ? parsed.problems.map(withoutValue) : parsed.problems,
    )
  return JSON.stringify(answer)
}

// the schema that is published does not say which fields are secret
function withoutValue(problem: Problem): Problem {
  return { ...problem, provided_value: null }
}

function settled(id: string, json: string, answered: Answered): Question {
  switch (answered.kind) {
    case 'answered':
      return answered.question
    case 'closed':
      // told twice, it is answered once
      if (answered.question.answer?.json === json) return answered.question
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The question ${id} is ${answered.question.state} already.`,
        {
          details: { source_code: `question_${answered.question.state}`, question_id: id },
        },
      )
    case 'missing':
      throw missing(id)
  }
}

function entry(
  question: Question,
  given: Omit<GivenAnswer, 'at' | 'json'>,
  by: Caller,
  parts: PipelineContext,
) {
  const now = parts.clock.now()
  return auditEntryBy(
    by,
    { id: parts.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: question.callId,
      request_id: question.id,
      surface:
        given.credential === 'attested'
          ? `attested by ${given.host}`
          : given.credential === 'own'
            ? 'own credential'
            : 'model',
      tool_name: question.toolId,
      success: true,
      outcome: 'answered',
      duration_ms: now - question.createdAt,
    },
  )
}

function missing(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no question ${id}.`, {
    details: { question_id: id },
  })
}

function changed({ id }: Question): ToolError {
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
