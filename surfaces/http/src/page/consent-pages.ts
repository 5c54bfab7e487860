import { visibleText } from '@surehand/core/host'
import type { HttpContext } from '../http-env.ts'
import { html } from './html.ts'
import { page } from './page.ts'
import { renderText } from './render-value.ts'
import { askToSignIn, comeFromHere, findSignedInPerson, type Pages } from './signed-in-person.ts'

export function consentPath(credential: string): string {
  return `/credentials/${encodeURIComponent(credential)}`
}

const CALLBACK = '/oauth/callback'

/** The page on which a person lets tools use a credential on their behalf. */
export async function showConsent(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const credential = context.req.param('id') ?? ''
  const body = html`<main><h1>Let tools act for you?</h1>
<p>Tools that use <code>${renderText(visibleText(credential))}</code> need your permission from the service behind it. You grant it there and return to this server.</p>
<form method="post" action="${consentPath(credential)}"><div class="answers"><button class="yes">Continue</button></div></form></main>`
  return page(body, { title: 'Let tools act for you?' })
}

export async function beginConsent(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was started. Sign in and try again.',
    )
  const { vault, origin } = pages.surface
  const credential = context.req.param('id') ?? ''
  const started = await vault?.begin(person.caller, credential, {
    redirectUri: `${origin}${CALLBACK}`,
  })
  // A link and not a redirect: the page's policy lets forms go to this server only, so that no form
  // can leak to another site.
  const body =
    started === undefined
      ? html`<main><h1>There is nothing to authorize</h1></main>`
      : html`<main><h1>Continue at ${new URL(started.url).host}</h1><p><a href="${started.url}" rel="noreferrer">Grant the permission there</a> within ten minutes.</p></main>`
  return page(body, { title: 'Authorize' })
}

/** The service has sent the person back. */
export async function finishConsent(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return (
      comeFromHere(context) ??
      askToSignIn(
        context,
        'Your session has expired, and nothing was authorized. Sign in and start again.',
      )
    )
  const { state = '', code, error } = context.req.query()
  const callback =
    code === undefined
      ? { state, error: error ?? 'the service sent neither a code nor an error' }
      : { state, code }
  const consented = await pages.surface.vault?.finish(person.caller, callback)
  const scopes =
    consented === undefined || consented.scopes.length === 0
      ? ''
      : ` for ${consented.scopes.join(', ')}`
  const whose = consented?.for === 'tenant' ? 'everyone in this tenant' : 'you'
  const body = html`<main><h1>Authorized</h1><p>Tools may now act for ${whose}${renderText(visibleText(scopes))}.</p></main>`
  return page(body, { title: 'Authorized' })
}
