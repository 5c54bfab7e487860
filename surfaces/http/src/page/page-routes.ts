import { visibleText } from '@surehand/core/host'
import type { Approval, Question } from '@surehand/core/ports'
import { edgeError, httpStatusOf, readForm } from '@surehand/edge'
import type { Sessions, SignedIn } from '@surehand/identity'
import type { Hono } from 'hono'
import type { HttpContext, HttpEnv } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { toPublicError } from '../public-error.ts'
import { beginConsent, finishConsent, showConsent } from './consent-pages.ts'
import { decisionPage } from './decision-page.ts'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
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

const FORM_BYTES = 65_536

/** Adds the pages on which people sign in, decide on approval requests and answer questions. */
export function addPageRoutes(app: Hono<HttpEnv>, surface: Surface): void {
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
  app.get('/approvals', serve(listPage))
  app.get('/approvals/:id', serve(showApproval))
  app.post('/approvals/:id', serve(submitDecision))
  app.get(
    '/questions',
    serve(async () => redirect(HOME)),
  )
  app.get('/questions/:id', serve(showQuestion))
  app.post('/questions/:id', serve(submitAnswer))
  app.get('/calls/:id', serve(showCall))
  app.get('/credentials/:id', serve(showConsent))
  app.post('/credentials/:id', serve(beginConsent))
  app.get('/oauth/callback', serve(finishConsent))
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
    serve(async () => redirect('/sign-in', sessions.close())),
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

function errorPage(message: string): Html {
  return html`<main><h1>Not done</h1><p class="danger" role="alert">${renderText(visibleText(message))}</p><p><a href="${HOME}">Waiting for you</a></p></main>`
}

async function listPage(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime } = pages.surface
  const [approvals, questions] = await Promise.all([
    runtime.approvals.listFor(person.caller, 'pending'),
    runtime.questions.listFor(person.caller, 'open'),
  ])
  return page(waitingPage(approvals, questions), { title: 'Waiting for you' })
}

async function showApproval(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { surface, sessions } = pages
  const approval = await surface.runtime.approvals.getFor(
    person.caller,
    context.req.param('id') ?? '',
  )
  const body = decisionPage({
    approval,
    seal: sessions.seal(person.session, sealPurpose(approval)),
    viewer: person.caller.principal,
    nowMs: surface.clock.now(),
    outcome:
      approval.state === 'pending'
        ? undefined
        : await surface.runtime.answer(person.caller, approval.callId),
  })
  return page(body, { title: 'Approval request' })
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
  await surface.runtime.approvals.decide(person.caller, id, {
    verdict,
    digest,
    ...(reason ? { reason: reason.slice(0, 4_000) } : {}),
  })
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
  return redirect(next, sessions.open(toSession(signedIn)))
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
  return redirect(HOME, sessions.open(redeemed))
}

/** Everything that waits for this person: approval requests and questions. */
function waitingPage(approvals: readonly Approval[], questions: readonly Question[]): Html {
  const isNothing = approvals.length + questions.length === 0
  return html`<main><h1>Waiting for you</h1>
${isNothing ? html`<p>Nothing is waiting.</p>` : undefined}
${waitingSection('Approval requests', '/approvals/', approvals)}
${waitingSection('Questions', '/questions/', questions)}
<form method="post" action="/sign-out"><div class="answers"><button>Sign out</button></div></form></main>`
}

type WaitingItem = Pick<Approval, 'id' | 'asks' | 'principal' | 'toolId' | 'expiresAt'>

function waitingSection(
  title: string,
  path: string,
  waiting: readonly WaitingItem[],
): Html | undefined {
  if (waiting.length === 0) return undefined
  const rows = waiting.map(
    ({ id, asks, principal, toolId, expiresAt }) =>
      html`<li><a href="${path}${encodeURIComponent(id)}">${renderText(asks.split('\n')[0] ?? '')}</a><span class="small">requested by ${renderText(visibleText(principal))}, with <code>${toolId}</code>, open until ${formatTime(expiresAt)}</span></li>`,
  )
  return html`<h2>${title}</h2><ul class="list">${rows}</ul>`
}
