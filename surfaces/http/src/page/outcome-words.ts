import type { Outcome } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { type Html, html } from './html.ts'
import { shownText } from './shown-value.ts'

/** What became of a call so far, and where it goes on. */
export function outcomeWords(outcome: Outcome): Html {
  switch (outcome.status) {
    case 'done':
      return html`<p>The call has been done. Its answer:</p><pre><code>${shownText(visibleText(answerText(outcome.data)))}</code></pre>`
    case 'accepted':
      return html`<p>The call is under way. Load this page again to see how it ended.</p>`
    case 'pending':
      return html`<p>The call waits for a yes: <a href="/approvals/${encodeURIComponent(outcome.approval.id)}">${shownText(outcome.approval.asks)}</a></p>`
    case 'asking':
      return html`<p>The call asks something: <a href="/questions/${encodeURIComponent(outcome.question.id)}">${shownText(outcome.question.asks)}</a></p>`
    case 'failed':
      return html`<p>The call ended with ${outcome.error.code}: ${shownText(visibleText(outcome.error.message))}</p>`
  }
}

function answerText(data: unknown): string {
  return JSON.stringify(data, undefined, 2) ?? 'nothing'
}
