import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Runtime } from '@surehand/core'
import { sha256, toToolError } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import { readText } from './read-body.ts'
import { ann } from './shop.ts'

export type DecisionContext = {
  readonly runtime: Runtime
  /** Ann's own credential, which neither the chat nor the model has. */
  readonly passphrase: string
}

/** `/approvals/{id}`: the page where Ann decides with her own passphrase. */
export async function decisionPage(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  context: DecisionContext,
): Promise<void> {
  try {
    if (request.method === 'POST') return await decide(request, response, id, context)
    const approval = await context.runtime.approvals.getFor(ann, id)
    send(
      response,
      200,
      approval.state === 'pending'
        ? form(approval)
        : `<p>This approval request is ${escapeHtml(approval.state)}.</p>`,
    )
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    send(response, code === 'TOOL_RESOURCE_NOT_FOUND' ? 404 : 409, `<p>${escapeHtml(message)}</p>`)
  }
}

async function decide(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  { runtime, passphrase }: DecisionContext,
): Promise<void> {
  const given = new URLSearchParams((await readText(request)) ?? '')
  if (!isSame(given.get('passphrase') ?? '', passphrase))
    return send(
      response,
      403,
      '<p>The passphrase is wrong, and nothing was decided. Go back and try again.</p>',
    )
  const verdict = given.get('verdict') === 'approve' ? 'approve' : 'deny'
  await runtime.approvals.decide(ann, id, { verdict, digest: given.get('digest') ?? '' })
  send(
    response,
    200,
    `<p>You ${verdict === 'approve' ? 'approved' : 'denied'}. You can go back to the chat.</p>`,
  )
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)))
}

function form({ asks, shown, digest }: Approval): string {
  return `<h1>${escapeHtml(asks)}</h1>
<pre>${escapeHtml(JSON.stringify(JSON.parse(shown), null, 2))}</pre>
<form method="post">
  <input type="hidden" name="digest" value="${escapeHtml(digest)}">
  <label>Your passphrase <input type="password" name="passphrase" autocomplete="off" required></label>
  <button name="verdict" value="approve">Yes, do it</button>
  <button name="verdict" value="deny">No</button>
</form>`
}

function send(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Approval request</title><body>${body}</body></html>`,
    )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
