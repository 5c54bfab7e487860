import type { Outcome } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'
import { z } from 'zod'
import { describeOutcome } from './describe-outcome.ts'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { hasInvisibleCharacters, renderFacts, renderText, renderValue } from './render-value.ts'

/**
 * What the approver must see, as core stores it; invisible characters in it are already spelled
 * out.
 */
const Shown = z.object({
  tool: z.string(),
  title: z.string(),
  version: z.string(),
  kind: z.string(),
  reversible: z.boolean(),
  effect: z.string(),
  asked_by: z.string(),
  actor: z.string(),
  edited_by: z.string().optional(),
  asks: z.string(),
  input: z.unknown(),
  facts: z.unknown().optional(),
  facts_hash: z.string().optional(),
  changed: z
    .array(
      z.object({
        path: z.string(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
      }),
    )
    .default([]),
})

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  confirm: 'a confirmation',
  consent: 'consent of the person concerned',
  admin: "an administrator's approval",
}

export type DecisionParts = {
  readonly approval: Approval
  /** Ties the form to this session and this digest. */
  readonly seal: string
  readonly viewer: string
  readonly nowMs: number
  readonly outcome: Outcome | undefined
}

/** Everything that the approver must see, nothing shortened, followed by the form. */
export function decisionPage(parts: DecisionParts): Html {
  const { approval } = parts
  const shown = Shown.parse(JSON.parse(approval.shown))
  const isOpen = approval.state === 'pending' && approval.expiresAt > parts.nowMs
  return html`<main>
<h1>${renderText(shown.asks)}</h1>
${isOpen ? undefined : resultNote(parts)}
${isOpen && !shown.reversible ? html`<p class="danger">This cannot be undone.</p>` : undefined}
${hasInvisibleCharacters(shown) ? html`<p class="danger">The request contains invisible or direction-changing characters. They are spelled out and <mark>marked</mark> in place.</p>` : undefined}
${isOpen && shown.changed.length > 0 ? html`<p class="danger">This was approved before, but what it would do has changed since. Nothing has been done.</p>` : undefined}
${changesTable(shown.changed)}
${shown.facts_hash === undefined ? undefined : html`<h2>${isOpen ? 'What you approve' : 'What it was about'}</h2>${renderFacts(shown.facts)}`}
<h2>Request</h2>
${requestFacts(approval, shown)}
<h2>Input</h2>
${renderValue(shown.input)}
${isOpen ? decisionForm(parts) : html`<p><a href="/approvals">Waiting for you</a></p>`}
<p class="small">Signed in as ${renderText(visibleText(parts.viewer))}. Digest of what is shown: <code>${approval.digest}</code></p>
</main>`
}

/** What differs from the facts that were approved before. */
function changesTable(changed: z.infer<typeof Shown>['changed']): Html | undefined {
  if (changed.length === 0) return undefined
  return html`<h2>What has changed</h2>
<table class="changes"><thead><tr><th scope="col">What</th><th scope="col">Approved before</th><th scope="col">Now</th></tr></thead>
<tbody>${changed.map(
    ({ path, before, after }) => html`<tr>
<th scope="row">${path === '' ? html`everything` : renderText(readablePath(path))}</th>
<td>${before === undefined ? html`<em>nothing</em>` : renderValue(before)}</td>
<td>${after === undefined ? html`<em>nothing</em>` : renderValue(after)}</td></tr>`,
  )}</tbody></table>`
}

/** `lines[0].price` becomes "lines › 1 › price": the page numbers lists from 1. */
function readablePath(path: string): string {
  return path
    .replaceAll(/\[(\d+)\]\.?/g, (_, index: string) => ` › ${Number(index) + 1} › `)
    .replace(/ › $/, '')
    .replace(/^ › /, '')
}

function requestFacts(approval: Approval, shown: z.infer<typeof Shown>): Html {
  const who =
    shown.actor === 'ai_agent'
      ? html`an AI agent on behalf of ${renderText(shown.asked_by)}`
      : renderText(shown.asked_by)
  return html`<dl>
<dt>Requested by</dt><dd>${who}</dd>
${shown.edited_by === undefined ? undefined : html`<dt>Changed by</dt><dd>${renderText(shown.edited_by)}</dd>`}
<dt>Tool</dt><dd>${renderText(shown.title)} (<code>${shown.tool}</code>, version ${shown.version})</dd>
<dt>Effect</dt><dd>${shown.effect}, ${shown.reversible ? 'can be undone' : 'cannot be undone'}</dd>
<dt>Needs</dt><dd>${KINDS[approval.kind]}</dd>
<dt>Requested at</dt><dd>${formatTime(approval.createdAt)}</dd>
<dt>Open until</dt><dd>${formatTime(approval.expiresAt)}</dd>
<dt>Call</dt><dd><code>${approval.callId}</code></dd>
</dl>`
}

function decisionForm({ approval, seal }: DecisionParts): Html {
  return html`<h2>Decision</h2>
<form method="post" action="/approvals/${encodeURIComponent(approval.id)}">
<input type="hidden" name="digest" value="${approval.digest}">
<input type="hidden" name="seal" value="${seal}">
<label for="reason">Reason (optional)</label>
<textarea id="reason" name="reason" rows="3" maxlength="4000"></textarea>
<div class="answers"><button class="no" name="verdict" value="deny">Deny</button><button class="yes" name="verdict" value="approve">Approve once</button></div>
</form>`
}

function stateOf(approval: Approval, nowMs: number): string {
  return approval.state === 'pending' && approval.expiresAt <= nowMs ? 'expired' : approval.state
}

/** What was decided, and what happens next. */
function resultNote({ approval, nowMs, outcome }: DecisionParts): Html {
  const { decision } = approval
  const state = stateOf(approval, nowMs)
  const by =
    decision === undefined
      ? undefined
      : html` by ${renderText(visibleText(decision.by))} at ${formatTime(decision.at)}`
  const reason = decision?.reason
    ? html`<p>Reason: ${renderText(visibleText(decision.reason))}</p>`
    : undefined
  const voided = decision?.voided
  if (voided !== undefined)
    return html`<div class="note" role="status"><p><strong>Approved</strong>${by}, but what was approved had changed by the time of the call. Nothing was done with this approval: the <a href="/approvals/${encodeURIComponent(voided.replacedBy)}">new approval request</a> shows what has changed.</p>${reason}</div>`
  // The outcome of a call that was not approved only repeats the decision.
  const ended = decision?.verdict === 'approve' ? outcome : undefined
  return html`<div class="${ended?.status === 'done' ? 'done' : 'note'}" role="status">${stateSentence(state, by)}${reason}${ended === undefined ? undefined : describeOutcome(ended)}</div>`
}

function stateSentence(state: string, by: Html | undefined): Html {
  switch (state) {
    case 'approved':
    case 'used':
      return html`<p><strong>Approved</strong>${by}. The call runs once, by itself, and its answer goes to the caller. You can close this page.</p>`
    case 'denied':
      return html`<p><strong>Denied</strong>${by}. Nothing was done, and the same request is refused until this decision expires.</p>`
    case 'replaced':
      return html`<p><strong>Replaced</strong>: the input was edited, and a new approval request has replaced this one. Nothing was done.</p>`
    default:
      return html`<p><strong>Expired</strong>: there was no decision in time. Nothing was done.</p>`
  }
}
