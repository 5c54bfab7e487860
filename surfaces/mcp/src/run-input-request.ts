import type { InputRequest } from '@modelcontextprotocol/server'
import { relayAnswer as relay, type ShownRequest } from '@surehand/core/host'
import { isRecord, type JsonSchema, toToolError } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { type AnswerForm, answerForm } from './answer-form.ts'
import { declaresForms, declaresUrls } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

type Asker = Pick<ToolsCall, 'caller' | 'capabilities'>

/**
 * What a run asks, as the client may put it to its person: as a form where what its host relays counts, with the page's address where
 * the client opens pages. Undefined where neither would do, and for what is asked of the model. `problem`: why it is asked again.
 */
export async function runInputRequest(
  question: Question,
  asker: Asker,
  surface: Surface,
  problem?: string,
): Promise<InputRequest | undefined> {
  const form = await formFor(question, asker, surface)
  const message = [question.asks, ...(problem === undefined ? [] : [problem]), question.shown].join(
    '\n\n',
  )
  // erased: the fields of the form are such as the protocol knows
  if (form !== undefined)
    return {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: form.schema },
    } as unknown as InputRequest
  // what is asked of anyone is told to the model, which may answer at once
  if (
    question.from !== 'person' ||
    surface.questionUrl === undefined ||
    !declaresUrls(asker.capabilities)
  )
    return undefined
  const url = surface.questionUrl(question.id)
  return {
    method: 'elicitation/create',
    params: { mode: 'url', message: question.asks, url } as never,
  }
}

async function formFor(
  question: Question,
  { caller, capabilities }: Asker,
  surface: Surface,
): Promise<AnswerForm | undefined> {
  const host = surface.hostOf(caller)
  if (question.from === 'model' || host === undefined || !declaresForms(capabilities))
    return undefined
  // a form goes through the host and its model's context: no place for secrets, nor for somebody else's answer
  if (question.isSecret || question.principal !== caller.principal) return undefined
  const form = formOf(question)
  return form !== undefined && (await surface.runtime.questions.acceptsHost(host, question))
    ? form
    : undefined
}

function formOf({ schema, draft }: Question): AnswerForm | undefined {
  return answerForm(JSON.parse(schema) as JsonSchema, draft === '' ? undefined : JSON.parse(draft))
}

/** Hands a relayed answer to the desk. Answers what is wrong with it, where the person can mend it. */
export async function relayAnswer(
  given: unknown,
  asked: ShownRequest,
  { caller }: Asker,
  surface: Surface,
): Promise<string | undefined> {
  const host = surface.hostOf(caller)
  // a form that was declined or closed answers nothing, and neither does a page that was opened
  if (
    !isRecord(given) ||
    given.action !== 'accept' ||
    !isRecord(given.content) ||
    host === undefined
  )
    return undefined
  const { questions } = surface.runtime
  const question = await questions.getFor(caller, asked.id).catch(unlessMissing)
  const answer = question === undefined ? undefined : formOf(question)?.read(given.content)
  return answer === undefined ? undefined : relay(questions, answer, asked, { caller, host })
}

function unlessMissing(thrown: unknown): undefined {
  if (toToolError(thrown).code !== 'TOOL_RESOURCE_NOT_FOUND') throw thrown
}
