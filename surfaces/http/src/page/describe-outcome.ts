import type { Outcome } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { type Html, html } from './html.ts'
import { renderText } from './render-value.ts'

/** The outcome of a call so far, with a link to what it waits for. */
export function describeOutcome(outcome: Outcome): Html {
  switch (outcome.status) {
    case 'done':
      return html`<p>The call is done. Its answer:</p><pre><code>${renderText(visibleText(answerText(outcome.data)))}</code></pre>`
    case 'accepted':
      return html`<p>The call is running. This page shows its result when it has ended.</p>`
    case 'pending':
      return html`<p>The call waits for approval: <a href="/approvals/${encodeURIComponent(outcome.approval.id)}">${renderText(outcome.approval.asks)}</a></p>`
    case 'asking':
      return html`<p>The call waits for an answer: <a href="/questions/${encodeURIComponent(outcome.question.id)}">${renderText(outcome.question.asks.split('\n')[0] ?? '')}</a></p>`
    case 'failed':
      return html`<p>The call failed with ${outcome.error.code}: ${renderText(visibleText(outcome.error.message))}</p>`
  }
}

function answerText(data: unknown): string {
  return JSON.stringify(data, undefined, 2) ?? 'nothing'
}
