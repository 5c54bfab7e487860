import type { Outcome } from '@surehand/core'
import { requesterText, visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import { z } from 'zod'
import { describeOutcome } from './describe-outcome.ts'
import { formatRelativeTime, formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { renderFacts, renderText, renderTraps, renderValue } from './render-value.ts'

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
  summary: z.record(z.string(), z.unknown()).default({}),
  consequence: z.string().optional(),
  part_of: z.array(z.string()).default([]),
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
type Shown = z.infer<typeof Shown>

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  confirm: 'a confirmation',
  consent: 'consent of the person concerned',
  admin: "an administrator's approval",
}

export type DecisionParts = {
  readonly approval: Approval
  /** Undefined where nothing is left to decide. */
  readonly form: DecisionFormParts | undefined
  readonly viewer: string
  readonly nowMs: number
  readonly outcome: Outcome | undefined
}

/** Where the buttons lead, and what ties them to this page. */
export type DecisionFormParts = {
  readonly action: string
  /** Hidden fields. */
  readonly fields: Html
  readonly verdicts: readonly ('approve' | 'deny')[]
  readonly note?: Html | undefined
}

/** The hidden fields of a form that belongs to a session and to what is shown. */
export function sealedFields({ digest }: Approval, seal: string): Html {
  return html`<input type="hidden" name="digest" value="${digest}">
<input type="hidden" name="seal" value="${seal}">`
}

/**
 * Everything that the approver must see, nothing shortened. The buttons stay on the screen; the one
 * that approves is emphasized by the style once the end has been scrolled into view.
 */
export function decisionPage(parts: DecisionParts): Html {
  const { approval, nowMs, form } = parts
  const shown = Shown.parse(JSON.parse(approval.shown))
  const isOpen = isOpenAt(approval, nowMs)
  const { key, input } = splitKey(shown.input)
  return html`<main class="decision">
${partOf(shown.part_of)}
<h1>${renderText(shown.asks)}</h1>
${isOpen ? undefined : resultNote(parts)}
${isOpen ? warnings(shown) : undefined}
${renderTraps(approval.shown)}
${Object.keys(shown.summary).length === 0 ? undefined : renderFacts(shown.summary)}
<p class="byline">${byline(approval, shown)}, ${formatRelativeTime(approval.createdAt, nowMs)}.${isOpen ? html` Expires ${formatRelativeTime(approval.expiresAt, nowMs)}.` : undefined}</p>
${changesTable(shown.changed)}
${shown.facts_hash === undefined ? undefined : html`<h2>${isOpen ? 'What you approve' : 'What it was about'}</h2>${renderFacts(shown.facts)}`}
<h2>Input</h2>
${renderValue(input)}
${details(approval, shown, key)}
${form === undefined ? undefined : decisionForm(form)}
<p class="small">Signed in as ${renderText(visibleText(parts.viewer))}.</p>
</main>`
}

export function isOpenAt({ state, expiresAt }: Approval, nowMs: number): boolean {
  return state === 'pending' && expiresAt > nowMs
}

function partOf(titles: readonly string[]): Html | undefined {
  if (titles.length === 0) return undefined
  const names = titles
    .toReversed()
    .map((title, index) => (index === 0 ? renderText(title) : html` › ${renderText(title)}`))
  return html`<p class="eyebrow">Part of: ${names}</p>`
}

function warnings({ reversible, consequence, changed }: Shown): Html {
  return html`${changed.length > 0 ? html`<p class="danger">This was approved before, but what it would do has changed since. Nothing has been done.</p>` : undefined}
${reversible && consequence === undefined ? undefined : html`<p class="${reversible ? 'note' : 'danger'}">${reversible ? undefined : 'This cannot be undone. '}${consequence === undefined ? undefined : renderText(consequence)}</p>`}`
}

function byline(approval: Approval, { edited_by }: Shown): Html {
  return html`Requested by ${renderText(requesterText(approval))}${edited_by === undefined ? undefined : html`, changed by ${renderText(edited_by)}`}`
}

/** What differs from the facts that were approved before. */
function changesTable(changed: Shown['changed']): Html | undefined {
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

const KEY_FIELDS = new Set(['idempotencyKey', 'idempotency_key'])

// The key says nothing about what is approved.
function splitKey(input: unknown): { readonly key: unknown; readonly input: unknown } {
  if (!isRecord(input)) return { key: undefined, input }
  const [keys, others] = [true, false].map((isKey) =>
    Object.entries(input).filter(([name]) => KEY_FIELDS.has(name) === isKey),
  )
  return { key: keys?.[0]?.[1], input: Object.fromEntries(others ?? []) }
}

function details(approval: Approval, shown: Shown, key: unknown): Html {
  return html`<details><summary>Details</summary>
<dl>
<dt>Tool</dt><dd>${renderText(shown.title)} (<code>${shown.tool}</code>, version ${shown.version})</dd>
<dt>Effect</dt><dd>${shown.effect}, ${shown.reversible ? 'can be undone' : 'cannot be undone'}</dd>
<dt>Needs</dt><dd>${KINDS[approval.kind]}</dd>
<dt>Requested at</dt><dd>${formatTime(approval.createdAt)}</dd>
<dt>Open until</dt><dd>${formatTime(approval.expiresAt)}</dd>
${key === undefined ? undefined : html`<dt>Idempotency key</dt><dd>${renderValue(key)}</dd>`}
<dt>Approval request</dt><dd><code>${approval.id}</code></dd>
<dt>Call</dt><dd><code>${approval.callId}</code></dd>
<dt>Digest of what is shown</dt><dd><code>${approval.digest}</code></dd>
</dl></details>`
}

const BUTTONS = {
  deny: html`<button name="verdict" value="deny">Deny</button>`,
  approve: html`<button class="yes" name="verdict" value="approve">Approve once</button>`,
}

// The reason stands before the buttons: a person who reads to the end comes past it.
function decisionForm({ action, fields, verdicts, note }: DecisionFormParts): Html {
  return html`${note}<label for="reason">Reason <span class="small">(optional; the caller reads it)</span></label>
<textarea id="reason" name="reason" form="decide" rows="2" maxlength="4000"></textarea>
<div class="end"></div>
<form id="decide" class="decide" method="post" action="${action}">
${fields}
<div class="answers">${verdicts.map((verdict) => BUTTONS[verdict])}</div>
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
      : html` by ${renderText(visibleText(decision.by))} ${formatRelativeTime(decision.at, nowMs)}`
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
