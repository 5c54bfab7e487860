import { isToolError, type Outcome, ToolError } from '@surehand/core'
import { type RunTree, type StepNode, type StepState, visibleText } from '@surehand/core/host'
import type { Question } from '@surehand/core/ports'
import { readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import type { RejectedForm } from './answer-form.ts'
import { locateProblems } from './answer-problems.ts'
import { awaitOutcome, refreshWhileRunning } from './await-outcome.ts'
import { describeOutcome } from './describe-outcome.ts'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { page, redirect } from './page.ts'
import { buildQuestionField, questionPage } from './question-page.ts'
import { readAnswer } from './read-answer.ts'
import { renderText } from './render-value.ts'
import {
  askToSignIn,
  findSignedInPerson,
  type Pages,
  type SignedInPerson,
  verifyFormSeal,
} from './signed-in-person.ts'

// An answer of one megabyte, with each character encoded as three.
const FORM_BYTES = 4_194_304

/** `GET /questions/{id}` */
export async function showQuestion(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  return questionResponse(
    await pages.surface.runtime.questions.getFor(person.caller, context.req.param('id') ?? ''),
    person,
    pages,
  )
}

async function questionResponse(
  question: Question,
  person: SignedInPerson,
  pages: Pages,
  rejected?: RejectedForm,
): Promise<Response> {
  const { surface, sessions } = pages
  const outcome = await surface.runtime.answer(person.caller, question.callId)
  const body = questionPage({
    question,
    seal: sessions.seal(person.session, sealPurpose(question)),
    viewer: person.caller.principal,
    nowMs: surface.clock.now(),
    outcome,
    ...(rejected === undefined ? {} : { rejected }),
  })
  return page(body, {
    title: question.asks.split('\n')[0] ?? 'Question',
    status: rejected === undefined ? 200 : 400,
    refreshSeconds: question.state === 'open' ? undefined : refreshWhileRunning(outcome),
  })
}

// A form is valid only for the question that it was rendered for, as it was shown then.
function sealPurpose({ id, digest }: Pick<Question, 'id' | 'digest'>): string {
  return `answer\n${id}\n${digest}`
}

/** `POST /questions/{id}` */
export async function submitAnswer(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was answered. Sign in and answer again.',
    )
  const { surface } = pages
  const id = context.req.param('id') ?? ''
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const digest = form.get('digest') ?? ''
  verifyFormSeal(form, person, sealPurpose({ id, digest }), pages)
  const question = await surface.runtime.questions.getFor(person.caller, id)
  const field = buildQuestionField(question)
  const { value, problems } = readAnswer(field, form)
  const refusal =
    problems.length > 0
      ? problems
      : await tryAnswer(() =>
          surface.runtime.questions.answer(person.caller, id, { answer: value, digest }),
        )
  if (refusal === undefined) {
    await awaitOutcome(person, question.callId, pages)
    return redirect(`/questions/${encodeURIComponent(id)}`)
  }
  return questionResponse(question, person, pages, {
    form,
    problems: 'reported' in refusal ? locateProblems(field, refusal.reported) : refusal,
  })
}

type Refusal = { readonly reported: readonly { readonly field: string; readonly error: string }[] }

/**
 * The problems that the runtime reports for the answer's fields; every other error is thrown on.
 */
async function tryAnswer(answer: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await answer()
    return undefined
  } catch (thrown) {
    const reported = isToolError(thrown) ? thrown.details?.validation_errors : undefined
    if (!Array.isArray(reported)) throw thrown
    return { reported }
  }
}

/** `GET /calls/{id}` */
export async function showCall(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime } = pages.surface
  const callId = context.req.param('id') ?? ''
  const [outcome, tree] = await Promise.all([
    runtime.answer(person.caller, callId),
    runtime.runTree(person.caller, callId),
  ])
  if (outcome === undefined || tree === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`)
  return page(callPage({ outcome, tree, viewer: person.caller.principal }), {
    title: 'Call',
    refreshSeconds: refreshWhileRunning(outcome),
  })
}

type CallParts = {
  readonly outcome: Outcome
  readonly tree: RunTree
  readonly viewer: string
}

const STEP_STATES: Readonly<Record<StepState, string>> = {
  done: 'done',
  failed: 'failed',
  waiting: 'waiting',
  running: 'running',
  unknown: 'outcome unknown',
  called_off: 'cancelled',
}

/** The state of a call, with the steps of a run. */
function callPage({ outcome, tree, viewer }: CallParts): Html {
  const { facts } = outcome
  return html`<main>
<h1>${renderText(visibleText(facts.title))}</h1>
<div class="${outcome.status === 'done' ? 'done' : 'note'}" role="status">${describeOutcome(outcome)}</div>
<h2>The call</h2>
<dl>
<dt>Tool</dt><dd><code>${tree.tool}</code></dd>
<dt>Call</dt><dd><code>${tree.call_id}</code></dd>
<dt>Started</dt><dd>${formatTime(Date.parse(tree.created_at))}</dd>
<dt>Last change</dt><dd>${formatTime(Date.parse(tree.updated_at))}</dd>
</dl>
${tree.steps.length === 0 ? undefined : html`<h2>Steps</h2>${stepList(tree.steps)}`}
<p class="small">Signed in as ${renderText(visibleText(viewer))}.</p>
</main>`
}

function stepList(steps: readonly StepNode[]): Html {
  return html`<ol class="steps">${steps.map(stepRow)}</ol>`
}

function stepRow(step: StepNode): Html {
  const what =
    step.question_id === undefined
      ? html`<code>${step.tool ?? ''}</code>`
      : html`<a href="/questions/${encodeURIComponent(step.question_id)}">a question</a>`
  const code = step.code === undefined ? undefined : html` with ${step.code}`
  return html`<li>${renderText(visibleText(step.path))}: ${what}, ${STEP_STATES[step.state]}${code}${step.steps.length === 0 ? undefined : stepList(step.steps)}</li>`
}
