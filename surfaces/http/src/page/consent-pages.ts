import { visibleText } from '@surehand/core/host'
import type { WireContext } from '../wire.ts'
import { html } from './html.ts'
import { page } from './page.ts'
import { shownText } from './shown-value.ts'
import { askToSignIn, HOME, type Pages, visitorOf } from './visitor.ts'

export function consentPath(credential: string): string {
  return `/credentials/${encodeURIComponent(credential)}`
}

const CALLBACK = '/oauth/callback'

/** Where a person agrees that a credential may be used for them. */
export async function showConsent(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined) return askToSignIn(context)
  const credential = context.req.param('id') ?? ''
  const body = html`<main><h1>May tools act for you?</h1>
<p>Tools that use <code>${shownText(visibleText(credential))}</code> ask the other side for what they may do. You agree there, and come back here.</p>
<form method="post" action="${consentPath(credential)}"><div class="answers"><button class="yes">Go on</button></div></form></main>`
  return page(body, { title: 'May tools act for you?' })
}

export async function beginConsent(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined)
    return askToSignIn(context, 'You are not signed in any more: nothing was begun.')
  const { vault, origin } = pages.surface
  const credential = context.req.param('id') ?? ''
  const begun = await vault?.begin(visitor.caller, credential, {
    redirectUri: `${origin}${CALLBACK}`,
  })
  // a link and no redirect: a page that may send forms to other houses could be made to send anything there
  const body =
    begun === undefined
      ? html`<main><h1>There is nothing to agree to</h1></main>`
      : html`<main><h1>Agree at ${new URL(begun.url).host}</h1><p><a href="${begun.url}" rel="noreferrer">Go there</a>, and come back within ten minutes.</p></main>`
  return page(body, { title: 'Agree' })
}

/** The other side sent the person back. */
export async function finishConsent(context: WireContext, pages: Pages): Promise<Response> {
  const visitor = await visitorOf(context, pages)
  if (visitor === undefined)
    return askToSignIn(context, 'You are not signed in any more: nothing was agreed. Begin again.')
  const { state = '', code, error } = context.req.query()
  const cameBack =
    code === undefined ? { state, error: error ?? 'nothing was said' } : { state, code }
  const consented = await pages.surface.vault?.finish(visitor.caller, cameBack)
  const scopes =
    consented === undefined || consented.scopes.length === 0
      ? ''
      : ` for ${consented.scopes.join(', ')}`
  const whose = consented?.for === 'tenant' ? 'everybody in this house' : 'you'
  const body = html`<main><h1>Agreed</h1><p>Tools may now act for ${whose}${shownText(visibleText(scopes))}.</p><p><a href="${HOME}">What is asked now</a></p></main>`
  return page(body, { title: 'Agreed' })
}
