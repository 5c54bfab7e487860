import { visibleText } from '@surehand/core/host'
import type { Approval, Question } from '@surehand/core/ports'
import { type Html, html } from './html.ts'
import { shownText } from './shown-value.ts'
import { timeOf } from './time.ts'

/** Everything that waits for this person: for a yes, and for an answer. */
export function waitingPage(approvals: readonly Approval[], questions: readonly Question[]): Html {
  const isNothing = approvals.length + questions.length === 0
  return html`<main><h1>Waiting for you</h1>
${isNothing ? html`<p>Nothing is waiting.</p>` : undefined}
${section('For a yes', '/approvals/', approvals)}
${section('For an answer', '/questions/', questions)}
<form method="post" action="/sign-out"><div class="answers"><button>Sign out</button></div></form></main>`
}

type Waits = Pick<Approval, 'id' | 'asks' | 'principal' | 'toolId' | 'expiresAt'>

function section(title: string, path: string, waiting: readonly Waits[]): Html | undefined {
  if (waiting.length === 0) return undefined
  const rows = waiting.map(
    ({ id, asks, principal, toolId, expiresAt }) =>
      html`<li><a href="${path}${encodeURIComponent(id)}">${shownText(asks)}</a><span class="small">for ${shownText(visibleText(principal))}, with <code>${toolId}</code>, open until ${timeOf(expiresAt)}</span></li>`,
  )
  return html`<h2>${title}</h2><ul class="list">${rows}</ul>`
}
