import type { Outcome } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { Question } from '@surehand/core/ports'
import { z } from 'zod'
import { answerField, type Field } from './answer-field.ts'
import { answerForm, type Returned } from './answer-form.ts'
import { problemList } from './answer-problems.ts'
import type { Schema } from './answer-schema.ts'
import { type Html, html } from './html.ts'
import { outcomeWords } from './outcome-words.ts'
import { hasSpelledOut, shownText, shownValue } from './shown-value.ts'
import { timeOf } from './time.ts'

/** What core says must be seen; every text in it has been made visible there. */
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

const ASKED_OF: Readonly<Record<Question['from'], string>> = {
  person: 'a person, who answers it themselves',
  model: 'the model that called; a person may answer it too',
  anyone: 'whoever is first: a person, or the model that called',
}

export type QuestionParts = {
  readonly question: Question
  /** Ties the form to this session and this digest. */
  readonly seal: string
  readonly viewer: string
  readonly nowMs: number
  /** Of the call; undefined for whoever may not see it. */
  readonly outcome: Outcome | undefined
  /** The form as it was sent, where it could not be taken. */
  readonly returned?: Returned
}

/** The form that a question is answered with. */
export function fieldOf(question: Question): Field {
  const { draft } = Shown.parse(JSON.parse(question.shown))
  return answerField(
    JSON.parse(question.schema) as Schema,
    question.draft === '' ? undefined : JSON.parse(question.draft),
    draft,
  )
}

/** Everything whoever answers must see, whole, and below it the form. */
export function questionPage(parts: QuestionParts): Html {
  const { question, returned } = parts
  const shown = Shown.parse(JSON.parse(question.shown))
  const isOpen = question.state === 'open' && question.expiresAt > parts.nowMs
  const field = fieldOf(question)
  return html`<main>
<h1>${shownText(shown.asks)}</h1>
${isOpen ? undefined : whatNow(parts)}
${isOpen && returned !== undefined ? problemList(field, returned.problems) : undefined}
${isOpen && shown.problem !== undefined ? html`<p class="danger">What was answered before could not be taken: ${shownText(shown.problem)}.</p>` : undefined}
${hasSpelledOut(shown) ? html`<p class="danger">It holds invisible or direction-changing characters. They are spelled out and <mark>marked</mark> where they stand.</p>` : undefined}
<h2>What is asked</h2>
${facts(parts, shown)}
${shown.draft === undefined ? undefined : html`<h2>It is filled in with</h2>${draftList(shown.draft)}`}
${isOpen ? answering(parts, field) : html`<p><a href="/approvals">What else waits</a></p>`}
<p class="small">Signed in as ${shownText(visibleText(parts.viewer))}. Digest of what is shown: <code>${question.digest}</code></p>
</main>`
}

function facts({ question, outcome }: QuestionParts, shown: z.infer<typeof Shown>): Html {
  const who =
    shown.actor === 'ai_agent'
      ? html`an AI agent, for ${shownText(shown.asked_by)}`
      : shownText(shown.asked_by)
  return html`<dl>
<dt>Called by</dt><dd>${who}</dd>
<dt>Tool</dt><dd>${shownText(shown.title)} (<code>${shown.tool}</code>, version ${shown.version})</dd>
<dt>Asked of</dt><dd>${ASKED_OF[question.from]}</dd>
<dt>Asked at</dt><dd>${timeOf(question.createdAt)}</dd>
<dt>Open until</dt><dd>${timeOf(question.expiresAt)}</dd>
<dt>Call</dt><dd>${outcome === undefined ? html`<code>${question.callId}</code>` : html`<a href="/calls/${encodeURIComponent(question.callId)}"><code>${question.callId}</code></a>`}</dd>
</dl>`
}

// a list stands by itself; a single value does not
function draftList(draft: unknown): Html {
  return typeof draft === 'object' && draft !== null
    ? shownValue(draft)
    : html`<p class="note">${shownValue(draft)}</p>`
}

function answering({ question, seal, returned }: QuestionParts, field: Field): Html {
  const { control } = field
  const isYesOrNo = control.kind === 'choice' && control.choices.some(({ value }) => value === true)
  const buttons = isYesOrNo
    ? html`<button class="no" name="${field.name}" value="false">No</button><button class="yes" name="${field.name}" value="true">Yes</button>`
    : html`<button class="yes">Send this answer</button>`
  return html`<h2>Answer</h2>
<form method="post" action="/questions/${encodeURIComponent(question.id)}">
<input type="hidden" name="digest" value="${question.digest}">
<input type="hidden" name="seal" value="${seal}">
${isYesOrNo ? undefined : answerForm(field, returned)}
<div class="answers">${buttons}</div>
</form>`
}

/** What was answered, and what happens now. */
function whatNow({ question, outcome }: QuestionParts): Html {
  if (outcome === undefined)
    return html`<div class="note" role="status">${sentence(question, 'over')}</div>`
  return html`<div class="${outcome.status === 'done' ? 'done' : 'note'}" role="status">${sentence(question, asksMore(outcome) ? 'more' : 'over')}${outcomeWords(outcome)}
<p><a href="/calls/${encodeURIComponent(question.callId)}">How the call stands</a></p></div>`
}

function asksMore({ status }: Outcome): boolean {
  return status === 'asking' || status === 'pending'
}

function sentence(question: Question, rest: 'more' | 'over'): Html {
  const { state, answer } = question
  if (answer !== undefined)
    return html`<p><strong>Answered</strong> by ${shownText(visibleText(answer.by))} at ${timeOf(answer.at)}. The call goes on by itself, and whoever made it fetches its answer.${rest === 'over' ? ' You can close this page.' : undefined}</p>${given(question)}`
  if (state === 'closed')
    return html`<p><strong>Closed</strong>: the call is over, and nobody is asked any more.</p>`
  return html`<p><strong>Expired</strong>: nobody answered in time.</p>`
}

function given({ answer, isSecret }: Question): Html | undefined {
  if (answer === undefined) return undefined
  if (isSecret) return html`<p>The answer holds something secret, and is not shown.</p>`
  const text = JSON.stringify(JSON.parse(answer.json), undefined, 2)
  return html`<p>The answer:</p><pre><code>${shownText(visibleText(text))}</code></pre>`
}
