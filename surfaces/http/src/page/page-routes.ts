import { visibleText } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'
import { edgeError, httpStatusOf, readForm } from '@surehand/edge'
import { publicSessionId, type Sessions, type SignedIn } from '@surehand/identity'
import type { Hono } from 'hono'
import type { HttpContext, HttpEnv } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { toPublicError } from '../public-error.ts'
import { showAction, submitAction } from './action-page.ts'
import { awaitOutcome, refreshWhileRunning } from './await-outcome.ts'
import { addAssetRoutes } from './browser/asset-routes.ts'
import { showClientConsent, submitClientConsent } from './client-consent-page.ts'
import { showConnections, submitDisconnection } from './connections-page.ts'
import { beginConsent, finishConsent, showConsent } from './consent-pages.ts'
import { decisionPage, isOpenAt, sealedFields } from './decision-page.ts'
import { describeClient } from './describe-client.ts'
import { type Html, html } from './html.ts'
import { showDecisions, showInbox } from './inbox.ts'
import { showNotifications, submitNotifications } from './notification-page.ts'
import { page, redirect } from './page.ts'
import { showCall, showQuestion, submitAnswer } from './question-routes.ts'
import { renderText } from './render-value.ts'
import { linkPage, signInPage } from './sign-in-page.ts'
import {
  askToSignIn,
  findSignedInPerson,
  HOME,
  type Pages,
  safeNextPath,
  verifyFormSeal,
} from './signed-in-person.ts'
import { showTool, submitCall } from './tool-page.ts'

const FORM_BYTES = 65_536

/** Adds the pages on which people sign in, decide on approval requests and answer questions. */
export function addPageRoutes(app: Hono<HttpEnv>, surface: Surface): void {
  addAssetRoutes(app)
  const { sessions } = surface
  if (sessions === undefined) return
  const pages = { surface, sessions }
  const serve =
    (answer: (context: HttpContext, pages: Pages) => Promise<Response>) =>
    async (context: HttpContext) => {
      try {
        if (context.req.method === 'POST') refuseForeignForm(context, surface)
        return await answer(context, pages)
      } catch (thrown) {
        const error = toPublicError(thrown, context.get('request'), surface)
        return page(errorPage(error.message), { title: 'Not done', status: httpStatusOf(error) })
      }
    }
  app.get('/approvals', serve(showInbox))
  app.get('/decisions', serve(showDecisions))
  app.get('/approvals/:id', serve(showApproval))
  app.post('/approvals/:id', serve(submitDecision))
  app.get(
    '/questions',
    serve(async () => redirect(HOME)),
  )
  app.get('/questions/:id', serve(showQuestion))
  app.post('/questions/:id', serve(submitAnswer))
  app.get('/calls/:id', serve(showCall))
  app.get('/tools/:id', serve(showTool))
  app.get('/notifications', serve(showNotifications))
  app.post('/notifications', serve(submitNotifications))
  app.get('/act/:link', serve(showAction))
  app.post('/act/:link', serve(submitAction))
  app.post('/tools/:id', serve(submitCall))
  app.get('/credentials/:id', serve(showConsent))
  app.post('/credentials/:id', serve(beginConsent))
  app.get('/oauth/callback', serve(finishConsent))
  if (surface.oauth !== undefined) {
    app.get('/oauth/consent/:id', serve(showClientConsent))
    app.post('/oauth/consent/:id', serve(submitClientConsent))
    app.get('/connections', serve(showConnections))
    app.post('/connections', serve(submitDisconnection))
  }
  app.get(
    '/sign-in',
    serve(async (context) =>
      page(signInPage(safeNextPath(context.req.query('next'))), { title: 'Sign in' }),
    ),
  )
  app.post('/sign-in', serve(signIn))
  app.get(
    '/sign-in/:link',
    serve(async (context) => page(linkPage(context.req.param('link') ?? ''), { title: 'Sign in' })),
  )
  app.post('/sign-in/:link', serve(signInByLink))
  app.post(
    '/sign-out',
    serve(async (context) => {
      const session = sessions.read(context.req.header('cookie'))
      if (session !== undefined)
        await surface.identity.openSessions?.end(session, [
          { id: publicSessionId(session), expiresAt: session.expiresAt },
        ])
      return redirect('/sign-in', sessions.close())
    }),
  )
}

// Without this check another site could sign a person in under another account, and read what they
// then decide.
function refuseForeignForm(context: HttpContext, { origin }: Surface): void {
  if (context.req.header('origin') !== origin)
    throw edgeError(
      'foreign_origin',
      'This form was not sent from a page of this server. Open the page again and send it from there.',
    )
}

/** For people who followed a link that leads nowhere; programs receive an envelope. */
export function notFoundPage(context: HttpContext): Response | undefined {
  const isForPeople =
    context.req.method === 'GET' && /text\/html/.test(context.req.header('accept') ?? '')
  if (!isForPeople || /^\/(?:v1|mcp)(?:\/|$)/.test(context.req.path)) return undefined
  const body = html`<main><h1>There is no such page</h1>
<p>Nothing is at <code>${renderText(visibleText(context.req.path.slice(0, 200)))}</code>. The <a href="/">start page</a> lists the tools of this server, and <a href="${HOME}">this list</a> what waits for you.</p></main>`
  return page(body, { title: 'There is no such page', status: 404 })
}

function errorPage(message: string): Html {
  return html`<main><h1>Not done</h1><p class="danger" role="alert">${renderText(visibleText(message))}</p></main>`
}

async function showApproval(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { surface, sessions } = pages
  const approval = await surface.runtime.approvals.getFor(
    person.caller,
    context.req.param('id') ?? '',
  )
  const outcome =
    approval.state === 'pending'
      ? undefined
      : await surface.runtime.answer(person.caller, approval.callId)
  const nowMs = surface.clock.now()
  const body = decisionPage({
    approval,
    form: isOpenAt(approval, nowMs)
      ? {
          action: `/approvals/${encodeURIComponent(approval.id)}`,
          fields: sealedFields(approval, sessions.seal(person.session, sealPurpose(approval))),
          verdicts: ['deny', 'approve'],
        }
      : undefined,
    viewer: person.caller.principal,
    nowMs,
    outcome,
  })
  return page(body, { title: approval.asks, refreshSeconds: refreshWhileRunning(outcome) })
}

// A form is valid only for the approval request that it was rendered for, as it was shown then.
function sealPurpose({ id, digest }: Pick<Approval, 'id' | 'digest'>): string {
  return `decide\n${id}\n${digest}`
}

async function submitDecision(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was decided. Sign in and decide again.',
    )
  const { surface } = pages
  const id = context.req.param('id') ?? ''
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const [digest = '', verdict, reason] = ['digest', 'verdict', 'reason'].map(
    (name) => form.get(name) ?? '',
  )
  verifyFormSeal(form, person, sealPurpose({ id, digest }), pages)
  if (verdict !== 'approve' && verdict !== 'deny')
    throw edgeError('malformed', 'The verdict must be approve or deny.')
  await surface.runtime.approvals.getFor(person.caller, id)
  const { callId } = await surface.runtime.approvals.decide(person.caller, id, {
    verdict,
    digest,
    ...(reason ? { reason: reason.slice(0, 4_000) } : {}),
  })
  await awaitOutcome(person, callId, pages)
  return redirect(`/approvals/${encodeURIComponent(id)}`)
}

async function signIn(context: HttpContext, { surface, sessions }: Pages): Promise<Response> {
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const next = safeNextPath(form.get('next') ?? undefined)
  const signedIn = await surface.edge.authThrottle.authenticate(
    context.get('request'),
    form.get('token')?.trim(),
    surface.identity.authenticate,
  )
  const refuse = (message: string): Response =>
    page(signInPage(next, message), { title: 'Sign in', status: 401 })
  if (signedIn === undefined) return refuse('This token is not valid.')
  if (signedIn.caller.actor === 'ai_agent')
    return refuse('This is the token of an AI agent. Sign in with your own token.')
  return openSession(context, { surface, sessions }, { next, who: toSession(signedIn) })
}

// The rights come from the record of a token of this server, or from the claims of an external
// issuer's token.
function toSession({ caller, token, expiresAt }: SignedIn): Parameters<Sessions['open']>[0] {
  const { tenant, principal, roles, scopes } = caller
  if (token !== undefined) return { tenant, principal, token }
  return {
    tenant,
    principal,
    claimed: { roles, ...(scopes === undefined ? {} : { scopes }) },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

async function signInByLink(context: HttpContext, { surface, sessions }: Pages): Promise<Response> {
  const redeemed = await surface.edge.authThrottle.authenticate(
    context.get('request'),
    context.req.param('link'),
    async (link) => surface.identityApi?.links.redeem(link),
  )
  if (redeemed === undefined)
    return page(signInPage(HOME, 'This link was already used or has expired. Ask for a new one.'), {
      title: 'Sign in',
      status: 401,
    })
  return openSession(context, { surface, sessions }, { next: HOME, who: redeemed })
}

type Opening = { readonly next: string; readonly who: Parameters<Sessions['open']>[0] }

async function openSession(
  context: HttpContext,
  { surface, sessions }: Pages,
  { next, who }: Opening,
): Promise<Response> {
  const { session, cookie } = sessions.open(who)
  const client = describeClient(context.req.header('user-agent'))
  await surface.identity.openSessions?.add(session, client)
  return redirect(next, cookie)
}
