import type { Outcome } from '@surehand/core'
import type { RunTree, StepNode, StepState } from '@surehand/core/host'
import { visibleText } from '@surehand/core/host'
import { describeOutcome } from './describe-outcome.ts'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { renderText } from './render-value.ts'

export type CallParts = {
  readonly outcome: Outcome
  readonly tree: RunTree
  readonly viewer: string
}

const STATES: Readonly<Record<StepState, string>> = {
  done: 'done',
  failed: 'failed',
  waiting: 'waiting',
  running: 'running',
  unknown: 'outcome unknown',
  called_off: 'cancelled',
}

/** The state of a call, with the steps of a run. */
export function callPage({ outcome, tree, viewer }: CallParts): Html {
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
<p><a href="/approvals">Waiting for you</a></p>
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
  return html`<li>${renderText(visibleText(step.path))}: ${what}, ${STATES[step.state]}${code}${step.steps.length === 0 ? undefined : stepList(step.steps)}</li>`
}
