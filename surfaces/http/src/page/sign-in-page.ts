import { type Html, html } from './html.ts'

/** Asks for a token; `next` is where they wanted to go. */
export function signInPage(next: string, trouble?: string): Html {
  return html`<main>
<h1>Sign in</h1>
${trouble === undefined ? undefined : html`<p class="danger" role="alert">${trouble}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="token">Your access token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<div class="answers"><button class="yes">Sign in</button></div>
</form>
<p class="small">Came here by a link from another site, and signed in already? <a href="${next}">Go on</a>: browsers leave the sign-in out on the first step.</p>
</main>`
}

/** A step of its own: whatever looks at links ahead of people must not use them up. */
export function linkPage(text: string): Html {
  return html`<main>
<h1>Sign in with this link</h1>
<p>It works once.</p>
<form method="post" action="/sign-in/${encodeURIComponent(text)}"><div class="answers"><button class="yes">Sign in</button></div></form>
</main>`
}
