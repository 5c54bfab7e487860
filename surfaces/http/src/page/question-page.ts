import type { Outcome } from '@surehand/core'
import { type ReviewForm, readReviewForm, requesterText, visibleText } from '@surehand/core/host'
import type { Question } from '@surehand/core/ports'
import { z } from 'zod'
import { buildAnswerField, type Field } from './answer-field.ts'
import { type RejectedForm, renderAnswerForm } from './answer-form.ts'
import { renderProblems } from './answer-problems.ts'
import type { Schema } from './answer-schema.ts'
import { describeOutcome } from './describe-outcome.ts'
import { formatRelativeTime, formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { hasInvisibleCharacters, renderText, renderTraps, renderValue } from './render-value.ts'
import { renderReview } from './review-form.ts'

/**
 * What the person who answers must see, as core stores it; invisible characters in it are already
 * spelled out.
 */
const Shown = z.object({
  tool: z.string(),
  title: z.string(),
  version: z.string(),
  asked_by: z.string(),
  actor: z.string(),
  asks: z.string(),
  problem: z.string().optional(),
  draft: z.unknown().optional(),
})
type Shown = z.infer<typeof Shown>

const ASKED_OF: Readonly<Record<Question['from'], string>> = {
  person: 'a person',
  model: 'the model that called; a person may answer it too',
  anyone: 'a person or the model that called, whichever answers first',
}

export type QuestionParts = {
  readonly question: Question
  /** Ties the form to this session and this digest. */
  readonly seal: string
  readonly viewer: string
  readonly nowMs: number
  /** The outcome of the call; undefined where the person may not see it. */
  readonly outcome: Outcome | undefined
  /** The form as it was sent, where the answer was not valid. */
  readonly rejected?: RejectedForm
}

/** The form field, or group of fields, that a question is answered with. */
export function buildQuestionField(question: Question): Field {
  const { draft } = Shown.parse(JSON.parse(question.shown))
  return buildAnswerField(
    JSON.parse(question.schema) as Schema,
    question.draft === '' ? undefined : JSON.parse(question.draft),
    draft,
  )
}

/** Everything that the person must see, nothing shortened, followed by the form. */
export function questionPage(parts: QuestionParts): Html {
  const { question, rejected } = parts
  const shown = Shown.parse(JSON.parse(question.shown))
  const isOpen = question.state === 'open' && question.expiresAt > parts.nowMs
  const field = buildQuestionField(question)
  const review = readReviewForm(JSON.parse(question.schema))
  return html`<main>
${renderAsks(shown.asks)}
${isOpen ? undefined : resultNote(parts)}
${isOpen && rejected !== undefined ? renderProblems(field, rejected.problems) : undefined}
${isOpen && shown.problem !== undefined ? html`<p class="danger">The previous answer was not valid: ${renderText(shown.problem)}.</p>` : undefined}
${renderTraps(question.shown)}
<p class="byline">Asked by ${byline(question, shown)}, ${formatRelativeTime(question.createdAt, parts.nowMs)}.${isOpen ? html` Expires ${formatRelativeTime(question.expiresAt, parts.nowMs)}.` : undefined}</p>
${isFormEnough(field, shown.draft, isOpen) ? undefined : html`<h2>Suggested answer</h2>${renderDraft(shown.draft)}`}
${isOpen ? answerSection(parts, field, review) : undefined}
${details(parts, shown)}
<p class="small">Signed in as ${renderText(visibleText(parts.viewer))}.</p>
</main>`
}

/** The first line is what is asked. The lines after it are what the person needs to know for it. */
function renderAsks(asks: string): Html {
  const [first = '', ...lines] = asks.split('\n').filter((line) => line.trim() !== '')
  const list = html`<ul>${lines.map((line) => html`<li>${renderText(line)}</li>`)}</ul>`
  return html`<h1>${renderText(first)}</h1>${lines.length === 0 ? undefined : list}`
}

function byline(question: Question, { title }: Shown): Html {
  return html`the tool "${renderText(title)}", called by ${renderText(requesterText(question))}`
}

// The form is filled in with the draft. It is shown apart from it where the form cannot show it:
// buttons have no text, and an input draws invisible characters as nothing.
function isFormEnough(field: Field, draft: unknown, isOpen: boolean): boolean {
  if (draft === undefined) return true
  return isOpen && !isYesOrNo(field) && !hasInvisibleCharacters(draft)
}

function details({ question, outcome }: QuestionParts, shown: Shown): Html {
  return html`<details><summary>Details</summary>
<dl>
<dt>Tool</dt><dd>${renderText(shown.title)} (<code>${shown.tool}</code>, version ${shown.version})</dd>
<dt>Asked of</dt><dd>${ASKED_OF[question.from]}</dd>
<dt>Asked at</dt><dd>${formatTime(question.createdAt)}</dd>
<dt>Open until</dt><dd>${formatTime(question.expiresAt)}</dd>
<dt>Question</dt><dd><code>${question.id}</code></dd>
<dt>Call</dt><dd>${outcome === undefined ? html`<code>${question.callId}</code>` : html`<a href="/calls/${encodeURIComponent(question.callId)}"><code>${question.callId}</code></a>`}</dd>
<dt>Digest of what is shown</dt><dd><code>${question.digest}</code></dd>
</dl></details>`
}

// A list has its own borders, a single value needs a box.
function renderDraft(draft: unknown): Html {
  return typeof draft === 'object' && draft !== null
    ? renderValue(draft)
    : html`<p class="note">${renderValue(draft)}</p>`
}

function answerSection(
  { question, seal, rejected }: QuestionParts,
  field: Field,
  review: ReviewForm | undefined,
): Html {
  const hidden = html`<input type="hidden" name="digest" value="${question.digest}">
<input type="hidden" name="seal" value="${seal}">`
  const action = `/questions/${encodeURIComponent(question.id)}`
  if (review !== undefined)
    return html`<form method="post" action="${action}" class="review">${hidden}${renderReview(field, review, rejected)}</form>`
  const buttons = isYesOrNo(field)
    ? html`<button name="${field.name}" value="false">No</button><button class="yes" name="${field.name}" value="true">Yes</button>`
    : html`<button class="yes">Send this answer</button>`
  return html`<h2>Answer</h2>
<form method="post" action="${action}">
${hidden}
${isYesOrNo(field) ? undefined : renderAnswerForm(field, rejected)}
<div class="answers">${buttons}</div>
</form>`
}

function isYesOrNo({ control }: Field): boolean {
  return control.kind === 'choice' && control.choices.some(({ value }) => value === true)
}

/** What was answered, and what happens next. */
function resultNote({ question, outcome, nowMs }: QuestionParts): Html {
  if (outcome === undefined)
    return html`<div class="note" role="status">${stateSentence(question, nowMs, 'over')}</div>`
  return html`<div class="${outcome.status === 'done' ? 'done' : 'note'}" role="status">${stateSentence(question, nowMs, asksMore(outcome) ? 'more' : 'over')}${describeOutcome(outcome)}
<p><a href="/calls/${encodeURIComponent(question.callId)}">State of the call</a></p></div>`
}

function asksMore({ status }: Outcome): boolean {
  return status === 'asking' || status === 'pending'
}

function stateSentence(question: Question, nowMs: number, rest: 'more' | 'over'): Html {
  const { state, answer } = question
  if (answer !== undefined)
    return html`<p><strong>Answered</strong> by ${renderText(visibleText(answer.by))} ${formatRelativeTime(answer.at, nowMs)}. The call continues by itself, and its answer goes to the caller.${rest === 'over' ? ' You can close this page.' : undefined}</p>${givenAnswer(question)}`
  if (state === 'closed')
    return html`<p><strong>Closed</strong>: the call has ended, and no answer is needed.</p>`
  return html`<p><strong>Expired</strong>: there was no answer in time.</p>`
}

function givenAnswer({ answer, isSecret }: Question): Html | undefined {
  if (answer === undefined) return undefined
  if (isSecret) return html`<p>The answer contains a secret and is not shown.</p>`
  const text = JSON.stringify(JSON.parse(answer.json), undefined, 2)
  return html`<p>The answer:</p><pre><code>${renderText(visibleText(text))}</code></pre>`
}
