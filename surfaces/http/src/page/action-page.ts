import type { Caller } from '@surehand/core'
import type { Approval } from '@surehand/core/ports'
import { edgeError, readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import type { LinkedAction } from '../notification-settings.ts'
import { requireNotifications } from '../routes/notifications.ts'
import { decisionPage, isOpenAt } from './decision-page.ts'
import { html } from './html.ts'
import { page } from './page.ts'
import type { Pages } from './signed-in-person.ts'

const FORM_BYTES = 65_536

/**
 * `GET /act/{link}`: the request that a link in a message is about. It decides nothing, because mail
 * scanners and previews open every link.
 */
export async function showAction(context: HttpContext, pages: Pages): Promise<Response> {
  const link = context.req.param('link') ?? ''
  const { approval, caller } = await resolveLink(link, pages)
  return actionResponse(approval, caller, link, pages)
}

/** `POST /act/{link}`: the button on that page. */
export async function submitAction(context: HttpContext, pages: Pages): Promise<Response> {
  const { surface } = pages
  const link = context.req.param('link') ?? ''
  const { approval, caller, action } = await resolveLink(link, pages)
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const [verdict, reason = ''] = [form.get('verdict'), form.get('reason') ?? '']
  if (verdict !== 'approve' && verdict !== 'deny')
    throw edgeError('malformed', 'The verdict must be approve or deny.')
  const decided = await surface.runtime.approvals.decide(caller, approval.id, {
    verdict,
    digest: action.digest,
    credential: { kind: 'link' },
    ...(reason === '' ? {} : { reason: reason.slice(0, 4_000) }),
  })
  return actionResponse(decided, caller, link, pages)
}

type ResolvedLink = {
  readonly action: LinkedAction
  readonly approval: Approval
  readonly caller: Caller
}

async function resolveLink(link: string, { surface }: Pages): Promise<ResolvedLink> {
  const action = requireNotifications(surface).readAction(link)
  const caller =
    action === undefined
      ? undefined
      : await surface.identity.authenticateSession({
          id: 'action-link',
          tenant: action.tenant,
          principal: action.principal,
          expiresAt: Number.POSITIVE_INFINITY,
        })
  if (action === undefined || caller === undefined) throw expiredLink()
  const approval = await surface.runtime.approvals.getFor(caller, action.approval)
  if (approval.digest !== action.digest) throw expiredLink()
  return { action, approval, caller }
}

function expiredLink(): Error {
  return edgeError(
    'no_such_path',
    'This link is not valid, or no longer. Open the list of what waits for you.',
  )
}

function actionResponse(
  approval: Approval,
  caller: Caller,
  link: string,
  { surface }: Pages,
): Response {
  const nowMs = surface.clock.now()
  const isOpen = isOpenAt(approval, nowMs)
  const mayApprove = approval.kind === 'confirm' && approval.reversible
  const body = decisionPage({
    approval,
    nowMs,
    viewer: `${caller.principal}, by a link in a message`,
    // What the call answered is for those who sign in.
    outcome: undefined,
    form: isOpen
      ? {
          action: `/act/${link}`,
          fields: html``,
          verdicts: mayApprove ? ['deny', 'approve'] : ['deny'],
          note: mayApprove
            ? undefined
            : html`<p class="note">This link can only deny. To approve, <a href="/approvals/${encodeURIComponent(approval.id)}">sign in</a>.</p>`,
        }
      : undefined,
  })
  return page(body, { title: approval.asks })
}
