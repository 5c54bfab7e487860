import { visibleText } from '@surehand/core/host'
import type { Approval, Question } from '@surehand/core/ports'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { renderText } from './render-value.ts'

/** Everything that waits for this person: approval requests and questions. */
export function waitingPage(approvals: readonly Approval[], questions: readonly Question[]): Html {
  const isNothing = approvals.length + questions.length === 0
  return html`<main><h1>Waiting for you</h1>
${isNothing ? html`<p>Nothing is waiting.</p>` : undefined}
${section('Approval requests', '/approvals/', approvals)}
${section('Questions', '/questions/', questions)}
<form method="post" action="/sign-out"><div class="answers"><button>Sign out</button></div></form></main>`
}

type WaitingItem = Pick<Approval, 'id' | 'asks' | 'principal' | 'toolId' | 'expiresAt'>

function section(title: string, path: string, waiting: readonly WaitingItem[]): Html | undefined {
  if (waiting.length === 0) return undefined
  const rows = waiting.map(
    ({ id, asks, principal, toolId, expiresAt }) =>
      html`<li><a href="${path}${encodeURIComponent(id)}">${renderText(asks)}</a><span class="small">requested by ${renderText(visibleText(principal))}, with <code>${toolId}</code>, open until ${formatTime(expiresAt)}</span></li>`,
  )
  return html`<h2>${title}</h2><ul class="list">${rows}</ul>`
}
