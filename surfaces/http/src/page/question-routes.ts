import { isToolError, ToolError } from '@surehand/core'
import type { Question } from '@surehand/core/ports'
import { readForm } from '../read-body.ts'
import type { WireContext } from '../wire.ts'
import type { Returned } from './answer-form.ts'
import { problemsFor } from './answer-problems.ts'
import { readAnswer } from './answer-read.ts'
import { callPage } from './call-page.ts'
import { page, redirect } from './page.ts'
import { fieldOf, questionPage } from './question-page.ts'
import { askToSignIn, type Pages, refuseUnsealed, type Visitor, visitorOf } from './visitor.ts'

// an answer of a megabyte, with every character of it written as three
const FORM_BYTES = 4_194_304

/** `GET /questions/{id}` */
export async function showQuestion(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined) return askToSignIn(context)
  return questionResponse(
    await pages.surface.runtime.questions.getFor(visitor.caller, context.req.param('id') ?? ''),
    visitor,
    pages,
  )
}

async function questionResponse(
  question: Question,
  visitor: Visitor,
  pages: Pages,
  returned?: Returned,
): Promise<Response> {
  const { surface, sessions } = pages
  const body = questionPage({
    question,
    seal: sessions.seal(visitor.session, purposeOf(question)),
    viewer: visitor.caller.principal,
    nowMs: surface.clock.now(),
    outcome: await surface.runtime.answer(visitor.caller, question.callId),
    ...(returned === undefined ? {} : { returned }),
  })
  return page(body, { title: 'An answer is asked for', status: returned === undefined ? 200 : 400 })
}

// a form that was made for one question, as it was shown then, answers nothing else
function purposeOf({ id, digest }: Pick<Question, 'id' | 'digest'>): string {
  return `answer\n${id}\n${digest}`
}

/** `POST /questions/{id}` */
export async function takeAnswer(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined)
    return askToSignIn(context, 'You are not signed in any more: nothing was answered.')
  const { surface } = pages
  const id = context.req.param('id') ?? ''
  const form = await readForm(context.get('visit'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
  })
  const digest = form.get('digest') ?? ''
  refuseUnsealed(form, visitor, purposeOf({ id, digest }), pages)
  const question = await surface.runtime.questions.getFor(visitor.caller, id)
  const field = fieldOf(question)
  const { value, problems } = readAnswer(field, form)
  const wrong =
    problems.length > 0
      ? problems
      : await refusalOf(() =>
          surface.runtime.questions.answer(visitor.caller, id, { answer: value, digest }),
        )
  if (wrong === undefined) return redirect(`/questions/${encodeURIComponent(id)}`)
  return questionResponse(question, visitor, pages, {
    form,
    problems: 'told' in wrong ? problemsFor(field, wrong.told) : wrong,
  })
}

type Told = { readonly told: readonly { readonly field: string; readonly error: string }[] }

/** What the desk says is wrong with the answer, field by field; other refusals are thrown on. */
async function refusalOf(answer: () => Promise<unknown>): Promise<Told | undefined> {
  try {
    await answer()
    return undefined
  } catch (thrown) {
    const told = isToolError(thrown) ? thrown.details?.validation_errors : undefined
    if (!Array.isArray(told)) throw thrown
    return { told }
  }
}

/** `GET /calls/{id}` */
export async function showCall(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined) return askToSignIn(context)
  const { runtime } = pages.surface
  const callId = context.req.param('id') ?? ''
  const [outcome, tree] = await Promise.all([
    runtime.answer(visitor.caller, callId),
    runtime.runTree(visitor.caller, callId),
  ])
  if (outcome === undefined || tree === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`)
  return page(callPage({ outcome, tree, viewer: visitor.caller.principal }), {
    title: 'How a call stands',
  })
}
