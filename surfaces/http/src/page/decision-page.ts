import type { Outcome } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'
import { z } from 'zod'
import { type Html, html } from './html.ts'
import { outcomeWords } from './outcome-words.ts'
import { hasSpelledOut, shownText, shownValue } from './shown-value.ts'
import { timeOf } from './time.ts'

/** What core says must be seen; every text in it has been made visible there. */
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
})

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  confirm: 'a confirmation',
  consent: 'consent, by the person it is asked of',
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

/** Everything whoever decides must see, whole, and below it the form. */
export function decisionPage(parts: DecisionParts): Html {
  const { approval } = parts
  const shown = Shown.parse(JSON.parse(approval.shown))
  const isOpen = approval.state === 'pending' && approval.expiresAt > parts.nowMs
  return html`<main>
<h1>${shownText(shown.asks)}</h1>
${isOpen ? undefined : whatNow(parts)}
${isOpen && !shown.reversible ? html`<p class="danger">This can not be undone.</p>` : undefined}
${hasSpelledOut(shown) ? html`<p class="danger">It holds invisible or direction-changing characters. They are spelled out and <mark>marked</mark> where they stand.</p>` : undefined}
<h2>What is asked</h2>
${facts(approval, shown)}
<h2>With this input</h2>
${shownValue(shown.input)}
${isOpen ? decisionForm(parts) : html`<p><a href="/approvals">What else waits</a></p>`}
<p class="small">Signed in as ${shownText(visibleText(parts.viewer))}. Digest of what is shown: <code>${approval.digest}</code></p>
</main>`
}

function facts(approval: Approval, shown: z.infer<typeof Shown>): Html {
  const who =
    shown.actor === 'ai_agent'
      ? html`an AI agent, for ${shownText(shown.asked_by)}`
      : shownText(shown.asked_by)
  return html`<dl>
<dt>Asked by</dt><dd>${who}</dd>
${shown.edited_by === undefined ? undefined : html`<dt>Changed by</dt><dd>${shownText(shown.edited_by)}</dd>`}
<dt>Tool</dt><dd>${shownText(shown.title)} (<code>${shown.tool}</code>, version ${shown.version})</dd>
<dt>Effect</dt><dd>${shown.effect}, ${shown.reversible ? 'can be undone' : 'can not be undone'}</dd>
<dt>It needs</dt><dd>${KINDS[approval.kind]}</dd>
<dt>Asked at</dt><dd>${timeOf(approval.createdAt)}</dd>
<dt>Open until</dt><dd>${timeOf(approval.expiresAt)}</dd>
<dt>Call</dt><dd><code>${approval.callId}</code></dd>
</dl>`
}

function decisionForm({ approval, seal }: DecisionParts): Html {
  return html`<h2>Decision</h2>
<form method="post" action="/approvals/${encodeURIComponent(approval.id)}">
<input type="hidden" name="digest" value="${approval.digest}">
<input type="hidden" name="seal" value="${seal}">
<label for="reason">Reason (may be empty)</label>
<textarea id="reason" name="reason" rows="3" maxlength="4000"></textarea>
<div class="answers"><button class="no" name="verdict" value="deny">No, deny it</button><button class="yes" name="verdict" value="approve">Yes, do it once</button></div>
</form>`
}

function stateOf(approval: Approval, nowMs: number): string {
  return approval.state === 'pending' && approval.expiresAt <= nowMs ? 'expired' : approval.state
}

/** What was decided, and what happens now. */
function whatNow({ approval, nowMs, outcome }: DecisionParts): Html {
  const { decision } = approval
  const state = stateOf(approval, nowMs)
  const by =
    decision === undefined
      ? undefined
      : html` by ${shownText(visibleText(decision.by))} at ${timeOf(decision.at)}`
  const reason = decision?.reason
    ? html`<p>Reason: ${shownText(visibleText(decision.reason))}</p>`
    : undefined
  // a call that got no yes has an end too, which says nothing more
  const ended = decision?.verdict === 'approve' ? outcome : undefined
  return html`<div class="${ended?.status === 'done' ? 'done' : 'note'}" role="status">${sentence(state, by)}${reason}${ended === undefined ? undefined : outcomeWords(ended)}</div>`
}

function sentence(state: string, by: Html | undefined): Html {
  switch (state) {
    case 'approved':
    case 'used':
      return html`<p><strong>Approved</strong>${by}. It runs by itself, once, and whoever asked fetches the answer. You can close this page.</p>`
    case 'denied':
      return html`<p><strong>Denied</strong>${by}. Nothing was done, and the same will not be asked again until this no has run out.</p>`
    case 'replaced':
      return html`<p><strong>Replaced</strong>: somebody changed what is asked, and a new question stands in its place. Nothing was done.</p>`
    default:
      return html`<p><strong>Expired</strong>: nobody answered in time. Nothing was done.</p>`
  }
}
