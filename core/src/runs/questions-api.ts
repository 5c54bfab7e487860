import { type Credential, DECIDE_CAPABILITY, maySee, maySeeAll } from '../approvals/may-decide.ts'
import type { Caller } from '../call/caller.ts'
import { draftOf } from '../call/envelope.ts'
import { guardJson } from '../call/json.ts'
import { type Page, type PageRequest, placeOf, readPlace, toPage } from '../call/page.ts'
import type { GivenAnswer, Question, QuestionState } from '../call/question.ts'
import { ToolError } from '../call/tool-error.ts'
import type { ForeignSchemas } from '../define/foreign-schemas.ts'
import type { JsonSchema } from '../define/json-schema.ts'
import { invalidAnswer } from '../define/problems.ts'
import type { Problem } from '../define/schema.ts'
import type { Tool } from '../define/tool.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { mayDecideAbout } from '../permissions/credential.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { Answered, QuestionFilter } from '../ports/runs.ts'

const MOST_BYTES = 1_048_576
const MOST_LISTED = 1_000

export type AnswerForm = {
  readonly answer: unknown
  /** The digest of what was shown; required from a person. */
  readonly digest?: string
  readonly credential?: Credential
}

/** Where people, and the models that called, see the questions of runs and answer them. */
export type QuestionsApi = {
  /** The newest 1,000 questions this viewer may see: their own, and for approvers everyone's. */
  readonly listFor: (viewer: Caller, state?: QuestionState) => Promise<readonly Question[]>
  /** The same questions page by page, the newest first. */
  readonly pageFor: (
    viewer: Caller,
    wanted: PageRequest & { readonly state?: QuestionState | undefined },
  ) => Promise<Page<Question>>
  /** The open ones page by page, what expires first at the top. */
  readonly waitingFor: (viewer: Caller, wanted: PageRequest) => Promise<Page<Question>>
  /** One of them; a question that the viewer may not see does not exist for them. */
  readonly getFor: (viewer: Caller, id: string) => Promise<Question>
  readonly answer: (by: Caller, id: string, form: AnswerForm) => Promise<Question>
  /**
   * Whether an answer relayed by this host would be accepted. A host checks before it asks a person
   * in vain.
   */
  readonly acceptsHost: (host: string, question: Question) => Promise<boolean>
}

/** `onAnswer` continues the run, in a runtime that has no worker to do it. */
export function createQuestionsApi(
  context: LedgerContext,
  schemas: ForeignSchemas | undefined,
  onAnswer: (question: Question) => Promise<void>,
): QuestionsApi {
  function isVisible(viewer: Caller, question: Question): boolean {
    return maySee(viewer, question, { scheme: context.scheme, tool: findTool(question, context) })
  }

  async function getFor(viewer: Caller, id: string): Promise<Question> {
    const question = await context.stores.runs.question(viewer.tenant, id)
    if (question === undefined || !isVisible(viewer, question)) throw notFoundError(id)
    return question
  }

  async function readPage(
    viewer: Caller,
    limit: number,
    wanted: Pick<QuestionFilter, 'state' | 'before' | 'expiringAfter'>,
  ): Promise<Page<Question>> {
    const found = await context.stores.runs.questions({
      ...wanted,
      tenant: viewer.tenant,
      principal: maySeeAll(viewer, context.scheme) ? undefined : viewer.principal,
      limit: limit + 1,
    })
    const { items, next } = toPage(found, limit, (question) =>
      wanted.expiringAfter === undefined ? question.id : placeOf(question),
    )
    return { items: items.filter((question) => isVisible(viewer, question)), next }
  }

  const pageFor: QuestionsApi['pageFor'] = (viewer, { state, limit, after }) =>
    readPage(viewer, limit, { state, before: after })

  return {
    getFor,
    pageFor,
    waitingFor: (viewer, { limit, after }) =>
      readPage(viewer, limit, { state: 'open', expiringAfter: readPlace(after) }),
    listFor: async (viewer, state) => (await pageFor(viewer, { state, limit: MOST_LISTED })).items,
    async answer(by, id, form) {
      // The rights that hold now decide, not those that this process read earlier.
      await context.administration.reload(by.tenant)
      const question = await getFor(by, id)
      const given = checkAnswerer(by, question, form.credential ?? { kind: 'own' }, context)
      if (given.credential !== 'model' && form.digest !== question.digest)
        throw changedError(question)
      const json = checkAnswer(question, form.answer, schemas)
      const entry = answerEntry(question, given, by, context)
      const answered = requireAnswered(
        id,
        json,
        await context.stores.runs.answer(by.tenant, id, { ...given, json }, entry),
      )
      await onAnswer(answered)
      return answered
    },
    async acceptsHost(host, question) {
      await context.administration.reload(question.tenant)
      return acceptsHost(host, question, context)
    },
  }
}

/**
 * Whose answer it is; throws for a caller who may not answer. An agent does not answer what a
 * person was asked.
 */
function checkAnswerer(
  by: Caller,
  question: Question,
  credential: Credential,
  context: LedgerContext,
): Omit<GivenAnswer, 'at' | 'json'> {
  const answeredBy = (kind: GivenAnswer['credential'], host?: string) => ({
    by: by.principal,
    credential: kind,
    host,
  })
  const tool = findTool(question, context)
  if (by.actor !== 'ai_agent' && !mayDecideAbout(by, tool, DECIDE_CAPABILITY))
    throw refusedError(question, BEYOND_CREDENTIAL)
  if (credential.kind === 'attested') {
    if (by.principal !== question.principal)
      throw refusedError(question, 'A host may relay the answer of its own person only.')
    if (!acceptsHost(credential.host, question, context))
      throw refusedError(
        question,
        `The host "${credential.host}" is not trusted to relay an answer.`,
      )
    return answeredBy('attested', credential.host)
  }
  if (by.actor !== 'ai_agent') return answeredBy('own')
  if (question.from === 'person')
    throw refusedError(question, 'The question is for a person: an agent may not answer it.')
  return answeredBy('model')
}

const BEYOND_CREDENTIAL = `This credential is limited to other capabilities. Answer with a credential that includes those of the tool, or ${DECIDE_CAPABILITY}.`

function findTool(
  { tenant, toolId }: Question,
  { registryOf }: Pick<LedgerContext, 'registryOf'>,
): Tool | undefined {
  return registryOf(tenant).find(toolId)
}

function acceptsHost(
  host: string,
  { from, tenant }: Question,
  { policyOf }: LedgerContext,
): boolean {
  return from === 'model' || policyOf(tenant)?.trustedHosts?.includes(host) === true
}

function checkAnswer(
  question: Question,
  answer: unknown,
  schemas: ForeignSchemas | undefined,
): string {
  guardJson(answer, MOST_BYTES)
  if (answer === undefined)
    throw new ToolError('TOOL_MISSING_REQUIRED_FIELD', 'The field `answer` is missing.')
  const parsed = schemas?.compile(JSON.parse(question.schema) as JsonSchema).parse(answer)
  // Without a compiler for JSON Schemas, the run validates the answer itself and asks again.
  if (parsed?.ok === false)
    throw invalidAnswer(
      question.id,
      question.isSecret ? parsed.problems.map(removeValue) : parsed.problems,
    )
  return JSON.stringify(answer)
}

// The published schema does not say which fields are secret, so no value is quoted.
function removeValue(problem: Problem): Problem {
  return { ...problem, provided_value: null }
}

function requireAnswered(id: string, json: string, answered: Answered): Question {
  switch (answered.kind) {
    case 'answered':
      return answered.question
    case 'closed':
      // The same answer, sent twice, is accepted twice.
      if (answered.question.answer?.json === json) return answered.question
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The question ${id} is ${answered.question.state} already.`,
        { details: { source_code: `question_${answered.question.state}`, question_id: id } },
      )
    case 'missing':
      throw notFoundError(id)
  }
}

function answerEntry(
  question: Question,
  given: Omit<GivenAnswer, 'at' | 'json'>,
  by: Caller,
  context: LedgerContext,
): AuditEntry {
  const now = context.clock.now()
  const surfaces = { attested: `attested by ${given.host}`, own: 'own credential', model: 'model' }
  return auditEntryBy(
    by,
    { id: context.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: question.callId,
      request_id: question.id,
      surface: surfaces[given.credential],
      tool_name: question.toolId,
      success: true,
      outcome: 'answered',
      duration_ms: now - question.createdAt,
    },
  )
}

function refusedError(question: Question, message: string): ToolError {
  return new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', message, {
    details: { question_id: question.id, from: question.from },
  })
}

function notFoundError(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no question ${id}.`, {
    details: { question_id: id },
  })
}

function changedError({ id }: Question): ToolError {
  const error = 'is not the digest of what is shown now'
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The question ${id} has changed since it was shown. Look at it again.`,
    { details: { validation_errors: [{ field: 'digest', error, provided_value: null }] } },
  )
}

/**
 * A run's question as other programs read it. `shown` is, byte for byte, the text that the digest
 * is made of.
 */
export type QuestionView = {
  readonly id: string
  readonly principal: string
  readonly call_id: string
  readonly tool: string
  readonly path: string
  readonly asks: string
  readonly from: string
  readonly schema: unknown
  readonly draft?: unknown
  readonly shown: string
  readonly digest: string
  readonly state: string
  readonly created_at: string
  readonly expires_at: string
  readonly answer?: Readonly<Record<string, unknown>> | undefined
  readonly url?: string | undefined
}

export function questionView(
  question: Question,
  questionUrl?: (id: string) => string,
): QuestionView {
  const { answer, isSecret } = question
  const draft = draftOf(question)
  return {
    id: question.id,
    principal: question.principal,
    call_id: question.callId,
    tool: question.toolId,
    path: question.path,
    asks: question.asks,
    from: question.from,
    schema: JSON.parse(question.schema) as unknown,
    ...(draft === undefined ? {} : { draft }),
    shown: question.shown,
    digest: question.digest,
    state: question.state,
    created_at: new Date(question.createdAt).toISOString(),
    expires_at: new Date(question.expiresAt).toISOString(),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            // A secret answer is for the run only.
            ...(isSecret ? {} : { value: JSON.parse(answer.json) as unknown }),
            by: answer.by,
            credential: answer.credential,
            ...(answer.host === undefined ? {} : { host: answer.host }),
            at: new Date(answer.at).toISOString(),
          },
        }),
    ...(questionUrl === undefined ? {} : { url: questionUrl(question.id) }),
  }
}
