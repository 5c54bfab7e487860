import { type Html, html } from './html.ts'

/** Asks for a token; `next` is the page that was requested. */
export function signInPage(next: string, problem?: string): Html {
  return html`<main>
<h1>Sign in</h1>
${problem === undefined ? undefined : html`<p class="danger" role="alert">${problem}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="token">Your access token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<div class="answers"><button class="yes">Sign in</button></div>
</form>
<p class="small">Signed in already, and came here by a link from another site? <a href="${next}">Continue</a>: browsers do not send the session cookie with the first request from another site.</p>
</main>`
}

/**
 * A link is redeemed by a button and not by opening it: mail scanners and link previews would use
 * it up.
 */
export function linkPage(text: string): Html {
  return html`<main>
<h1>Sign in with this link</h1>
<p>It works once.</p>
<form method="post" action="/sign-in/${encodeURIComponent(text)}"><div class="answers"><button class="yes">Sign in</button></div></form>
</main>`
}
