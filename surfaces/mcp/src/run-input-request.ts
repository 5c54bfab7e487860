import type { InputRequest } from '@modelcontextprotocol/server'
import { relayAnswer as relay, type ShownRequest } from '@surehand/core/host'
import { isRecord, type JsonSchema, toToolError } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { type AnswerForm, answerForm } from './answer-form.ts'
import { declaresForms, declaresUrls } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

type Requester = Pick<ToolsCall, 'caller' | 'capabilities'>

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
  const url = surface.questionUrl(question.id)
  return {
    method: 'elicitation/create',
    params: { mode: 'url', message: question.asks, url } as never,
  }
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
