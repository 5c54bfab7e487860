import type { InputRequest } from '@modelcontextprotocol/server'
import { relayAnswer as relay, type ShownRequest } from '@surehand/core/host'
import { isRecord, type JsonSchema, toToolError } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { urlInputRequest } from './approval-input-request.ts'
import { declaresForms, declaresUrls } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

type Requester = Pick<ToolsCall, 'caller' | 'capabilities'> & { readonly isLegacy?: boolean }

/**
 * The question of a run as the client may show it to its user: a form where its host may relay the
 * answer, the URL of the question page where the client opens URLs. Undefined where neither is
 * possible, and for questions to the model. `problem` says why the question is asked again.
 */
export async function runInputRequest(
  question: Question,
  requester: Requester,
  surface: Surface,
  problem?: string,
): Promise<InputRequest | undefined> {
  const form = await formFor(question, requester, surface)
  const message = [question.asks, ...(problem === undefined ? [] : [problem]), question.shown].join(
    '\n\n',
  )
  // The cast is safe: `answerForm` creates only fields that the protocol defines.
  if (form !== undefined)
    return {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: form.schema },
    } as unknown as InputRequest
  // A question to anyone goes to the model, which can answer at once.
  if (
    question.from !== 'person' ||
    surface.questionUrl === undefined ||
    !declaresUrls(requester.capabilities)
  )
    return undefined
  return urlInputRequest(
    { id: question.id, message: question.asks, url: surface.questionUrl(question.id) },
    requester,
  )
}

async function formFor(
  question: Question,
  { caller, capabilities }: Requester,
  surface: Surface,
): Promise<AnswerForm | undefined> {
  const host = surface.hostOf(caller)
  if (question.from === 'model' || host === undefined || !declaresForms(capabilities))
    return undefined
  // A form passes through the host and its model's context: not for secrets, and not for another
  // principal's answer.
  if (question.isSecret || question.principal !== caller.principal) return undefined
  const form = formOf(question)
  return form !== undefined && (await surface.runtime.questions.acceptsHost(host, question))
    ? form
    : undefined
}

function formOf({ schema, draft }: Question): AnswerForm | undefined {
  return answerForm(JSON.parse(schema) as JsonSchema, draft === '' ? undefined : JSON.parse(draft))
}

/**
 * Relays an answer to the questions API. Returns what is wrong with it, where the user can correct
 * it.
 */
export async function relayAnswer(
  given: unknown,
  asked: ShownRequest,
  { caller }: Requester,
  surface: Surface,
): Promise<string | undefined> {
  const host = surface.hostOf(caller)
  // A form that was declined or closed answers nothing, and neither does a page that was opened.
  if (
    !isRecord(given) ||
    given.action !== 'accept' ||
    !isRecord(given.content) ||
    host === undefined
  )
    return undefined
  const { questions } = surface.runtime
  const question = await questions.getFor(caller, asked.id).catch(ignoreMissing)
  const answer = question === undefined ? undefined : formOf(question)?.read(given.content)
  return answer === undefined ? undefined : relay(questions, answer, asked, { caller, host })
}

function ignoreMissing(thrown: unknown): undefined {
  if (toToolError(thrown).code !== 'TOOL_RESOURCE_NOT_FOUND') throw thrown
}

type Known = Readonly<Record<string, unknown>>

/** A question as an elicitation form, and how its content is read. */
type AnswerForm = {
  readonly schema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: readonly string[]
  }
  readonly read: (content: Known) => unknown
}

/** The only field of a form whose answer is not an object. */
const ONLY_FIELD = 'answer'

/**
 * The form for a question, with the draft as its defaults; undefined where a form cannot express
 * it: forms are flat objects of texts, numbers, booleans and choices. The run itself checks what
 * forms leave out, such as patterns.
 */
export function answerForm(schema: JsonSchema, draft: unknown): AnswerForm | undefined {
  if (isRecord(schema.properties)) return createForm(schema, isRecord(draft) ? draft : {})
  const form = createForm(
    { properties: { [ONLY_FIELD]: schema }, required: [ONLY_FIELD] },
    { [ONLY_FIELD]: draft },
  )
  return form === undefined
    ? undefined
    : { ...form, read: (content) => (form.read(content) as Known)[ONLY_FIELD] }
}

function createForm({ properties, required }: Known, draft: Known): AnswerForm | undefined {
  const fields = Object.entries(properties as Known).map(
    ([name, schema]) => [name, createField(schema, draft[name])] as const,
  )
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const filled = fields.filter(
    (field): field is readonly [string, object] => field[1] !== undefined,
  )
  if (filled.length < fields.length) return undefined
  return {
    schema: { type: 'object', properties: Object.fromEntries(filled), required: names },
    read: (content) => {
      // A required field that was not touched keeps its draft; any other missing field was cleared.
      const answered = filled.map(
        ([name]) =>
          [name, content[name] ?? (names.includes(name) ? draft[name] : undefined)] as const,
      )
      return Object.fromEntries(answered.filter(([, value]) => value !== undefined))
    },
  }
}

function createField(schema: unknown, draft: unknown): object | undefined {
  if (!isRecord(schema)) return undefined
  const field = plainField(schema)
  if (field === undefined) return undefined
  const shown = draft ?? schema.default
  return {
    ...pickWords(schema, ['title', 'description']),
    ...field,
    ...(fitsField(field, shown) ? { default: shown } : {}),
  }
}

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

function plainField(schema: Known): Known | undefined {
  if (['enum', 'const', 'anyOf', 'oneOf'].some((word) => word in schema)) {
    const choices = choicesOf(schema)
    return choices === undefined ? undefined : { type: 'string', enum: choices }
  }
  switch (schema.type) {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
    case 'integer':
      return pickWords(schema, ['type', 'minimum', 'maximum'])
    case 'string':
      return {
        ...pickWords(schema, ['type', 'minLength', 'maxLength']),
        ...(FORMATS.has(schema.format) ? { format: schema.format } : {}),
      }
    case 'array': {
      const choices = isRecord(schema.items) ? choicesOf(schema.items) : undefined
      if (choices === undefined) return undefined
      return {
        ...pickWords(schema, ['type', 'minItems', 'maxItems']),
        items: { type: 'string', enum: choices },
      }
    }
    default:
      return undefined
  }
}

function choicesOf(schema: Known): readonly string[] | undefined {
  const found: readonly unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : constantsOf(schema.anyOf ?? schema.oneOf)
  return found.length > 0 && found.every((choice): choice is string => typeof choice === 'string')
    ? (found as readonly string[])
    : undefined
}

function constantsOf(branches: unknown): readonly unknown[] {
  return Array.isArray(branches)
    ? branches.map((branch) => (isRecord(branch) ? branch.const : undefined))
    : []
}

// A draft that does not fit its field is left out; the message beside the form shows it.
function fitsField({ type, enum: choices, items }: Known, value: unknown): boolean {
  if (Array.isArray(choices)) return choices.includes(value)
  if (type === 'array')
    return (
      Array.isArray(value) &&
      isRecord(items) &&
      value.every((one) => (items.enum as unknown[]).includes(one))
    )
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function pickWords(schema: Known, words: readonly string[]): Known {
  return Object.fromEntries(
    words.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])),
  )
}
