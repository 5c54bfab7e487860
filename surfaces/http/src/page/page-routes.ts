import { visibleText } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'
import type { Sessions, SignedIn } from '@surehand/identity'
import type { Hono } from 'hono'
import { edgeError, statusOfError } from '../edge-error.ts'
import type { Surface } from '../options.ts'
import { readForm } from '../read-body.ts'
import { tellable } from '../tellable.ts'
import type { Wire, WireContext } from '../wire.ts'
import { beginConsent, finishConsent, showConsent } from './consent-pages.ts'
import { decisionPage } from './decision-page.ts'
import { type Html, html } from './html.ts'
import { page, redirect } from './page.ts'
import { showCall, showQuestion, takeAnswer } from './question-routes.ts'
import { shownText } from './shown-value.ts'
import { linkPage, signInPage } from './sign-in-page.ts'
import { askToSignIn, HOME, nextOf, type Pages, refuseUnsealed, visitorOf } from './visitor.ts'
import { waitingPage } from './waiting-page.ts'

const FORM_BYTES = 65_536

/** The pages where people decide and answer, and what they need to know who looks at them. */
export function pageRoutes(app: Hono<Wire>, surface: Surface): void {
  const { sessions } = surface
  if (sessions === undefined) return
  const pages = { surface, sessions }
  const serve =
    (answer: (context: WireContext, pages: Pages) => Promise<Response>) =>
    async (context: WireContext) => {
      try {
        if (context.req.method === 'POST') refuseForeignForm(context, surface)
        return await answer(context, pages)
      } catch (thrown) {
        const error = tellable(thrown, context.get('visit'), surface)
        return page(troublePage(error.message), { title: 'Not done', status: statusOfError(error) })
      }
    }
  app.get('/approvals', serve(listPage))
  app.get('/approvals/:id', serve(showApproval))
  app.post('/approvals/:id', serve(takeDecision))
  app.get(
    '/questions',
    serve(async () => redirect(HOME)),
  )
  app.get('/questions/:id', serve(showQuestion))
  app.post('/questions/:id', serve(takeAnswer))
  app.get('/calls/:id', serve(showCall))
  app.get('/credentials/:id', serve(showConsent))
  app.post('/credentials/:id', serve(beginConsent))
  app.get('/oauth/callback', serve(finishConsent))
  app.get(
    '/sign-in',
    serve(async (context) =>
      page(signInPage(nextOf(context.req.query('next'))), { title: 'Sign in' }),
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

// without it, another site could sign a person in as somebody else, and read what they then decide
function refuseForeignForm(context: WireContext, { origin }: Surface): void {
  if (context.req.header('origin') !== origin)
    throw edgeError('foreign_origin', 'This form was not sent from a page of this house.')
}

function troublePage(message: string): Html {
  return html`<main><h1>That was not done</h1><p class="danger" role="alert">${shownText(visibleText(message))}</p><p><a href="${HOME}">What is asked now</a></p></main>`
}

async function listPage(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined) return askToSignIn(context)
  const { runtime } = pages.surface
  const [approvals, questions] = await Promise.all([
    runtime.approvals.listFor(visitor.caller, 'pending'),
    runtime.questions.listFor(visitor.caller, 'open'),
  ])
  return page(waitingPage(approvals, questions), { title: 'Waiting for you' })
}

async function showApproval(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined) return askToSignIn(context)
  const { surface, sessions } = pages
  const approval = await surface.runtime.approvals.getFor(
    visitor.caller,
    context.req.param('id') ?? '',
  )
  const body = decisionPage({
    approval,
    seal: sessions.seal(visitor.session, purposeOf(approval)),
    viewer: visitor.caller.principal,
    nowMs: surface.clock.now(),
    outcome:
      approval.state === 'pending'
        ? undefined
        : await surface.runtime.answer(visitor.caller, approval.callId),
  })
  return page(body, { title: 'A yes is asked for' })
}

// a form that was made for one question, as it was shown then, decides nothing else
function purposeOf({ id, digest }: Pick<Approval, 'id' | 'digest'>): string {
  return `decide\n${id}\n${digest}`
}

async function takeDecision(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined)
    return askToSignIn(context, 'You are not signed in any more: nothing was decided.')
  const { surface } = pages
  const id = context.req.param('id') ?? ''
  const form = await readForm(context.get('visit'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
  })
  const [digest = '', verdict, reason] = ['digest', 'verdict', 'reason'].map(
    (name) => form.get(name) ?? '',
  )
  refuseUnsealed(form, visitor, purposeOf({ id, digest }), pages)
  if (verdict !== 'approve' && verdict !== 'deny') throw edgeError('malformed', 'Say yes or no.')
  await surface.runtime.approvals.getFor(visitor.caller, id)
  await surface.runtime.approvals.decide(visitor.caller, id, {
    verdict,
    digest,
    ...(reason ? { reason: reason.slice(0, 4_000) } : {}),
  })
  return redirect(`/approvals/${encodeURIComponent(id)}`)
}

async function signIn(context: WireContext, { surface, sessions }: Pages): Promise<Response> {
  const form = await readForm(context.get('visit'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
  })
  const next = nextOf(form.get('next') ?? undefined)
  const signedIn = await surface.strangers.meet(
    context.get('visit'),
    form.get('token')?.trim(),
    surface.identity.authenticate,
  )
  const trouble = (sentence: string): Response =>
    page(signInPage(next, sentence), { title: 'Sign in', status: 401 })
  if (signedIn === undefined) return trouble('This token is not valid.')
  if (signedIn.caller.actor === 'ai_agent')
    return trouble('This is the token of an agent: sign in with your own.')
  return redirect(next, sessions.open(whoOf(signedIn)))
}

// by a token of this house, whose record says what they may, or by an issuer's, which says so itself
function whoOf({ caller, token, expiresAt }: SignedIn): Parameters<Sessions['open']>[0] {
  const { tenant, principal, roles, scopes } = caller
  if (token !== undefined) return { tenant, principal, token }
  return {
    tenant,
    principal,
    claimed: { roles, ...(scopes === undefined ? {} : { scopes }) },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

async function signInByLink(context: WireContext, { surface, sessions }: Pages): Promise<Response> {
  const who = await surface.strangers.meet(
    context.get('visit'),
    context.req.param('link'),
    async (link) => surface.desk?.links.redeem(link),
  )
  if (who === undefined)
    return page(signInPage(HOME, 'This link was used already, or is too old.'), {
      title: 'Sign in',
      status: 401,
    })
  return redirect(HOME, sessions.open(who))
}
