import type { Caller } from '@surehand/core'
import { edgeError } from '@surehand/edge'
import type { Session, Sessions } from '@surehand/identity'
import type { HttpContext } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { html } from './html.ts'
import { page } from './page.ts'
import { signInPage } from './sign-in-page.ts'

/** A person with a session cookie; AI agents cannot sign in to pages. */
export type SignedInPerson = { readonly caller: Caller; readonly session: Session }
export type Pages = { readonly surface: Surface; readonly sessions: Sessions }

/** The page that lists everything that waits for the person. */
export const HOME = '/approvals'

export async function findSignedInPerson(
  context: HttpContext,
  { surface, sessions }: Pages,
): Promise<SignedInPerson | undefined> {
  const session = sessions.read(context.req.header('cookie'))
  const caller =
    session === undefined ? undefined : await surface.identity.authenticateSession(session)
  if (session === undefined || caller === undefined || caller.actor === 'ai_agent') return undefined
  surface.identity.openSessions?.note(session)
  return { caller, session }
}

const RETURNED = 'returned'

/**
 * For a page that another site leads to: browsers leave the session's cookie (SameSite=Strict) out
 * of that request and out of its redirects. This page leads to itself once more; that request comes
 * from this server and carries the cookie. Undefined where that has been done.
 */
export function comeFromHere(context: HttpContext): Response | undefined {
  const url = new URL(context.req.url)
  if (url.searchParams.has(RETURNED)) return undefined
  url.searchParams.set(RETURNED, '1')
  const path = url.pathname + url.search
  const body = html`<main><h1>One moment</h1><p><a href="${path}">Continue</a> if nothing happens.</p></main>`
  return page(body, { title: 'One moment', goTo: path })
}

export function askToSignIn(context: HttpContext, problem?: string): Response {
  return page(signInPage(safeNextPath(context.req.path), problem), {
    title: 'Sign in',
    status: 401,
  })
}

// Only a path of this server: browsers take `//evil.example` and `/\evil.example` for other sites.
export function safeNextPath(path: string | undefined): string {
  return path !== undefined && path.length <= 300 && /^(?:\/(?!\.+(?:\/|$))[\w.:~-]+)+$/.test(path)
    ? path
    : HOME
}

/**
 * Refuses a form that was rendered for another session, or for something else than this page
 * showed.
 */
export function verifyFormSeal(
  form: URLSearchParams,
  { session }: SignedInPerson,
  purpose: string,
  { sessions }: Pages,
): void {
  if (!sessions.isSealed(session, purpose, form.get('seal') ?? ''))
    throw edgeError(
      'foreign_origin',
      'This form does not belong to your session. Open the page again and send it from there.',
    )
}
