import { visibleText } from '@surehand/core/host'
import { edgeError, readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import type { ClientConnection, HttpOAuth } from './client-consent-page.ts'
import { formatTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { page, redirect } from './page.ts'
import { renderText } from './render-value.ts'
import {
  askToSignIn,
  comeFromHere,
  findSignedInPerson,
  type Pages,
  verifyFormSeal,
} from './signed-in-person.ts'

const PATH = '/connections'
const SEAL = 'connections'
const FORM_BYTES = 4_096

/** `GET /connections`: the clients that act for the person, each with a button that ends it. */
export async function showConnections(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return comeFromHere(context) ?? askToSignIn(context)
  const connections = await requireOAuth(pages).connections(person.caller)
  const seal = pages.sessions.seal(person.session, SEAL)
  const body = html`<main>
<h1>Connected clients</h1>
<p>These programs call tools for you as your agents. What requires your approval waits for you. An ended connection is refused at once; the client can ask you again.</p>
${connections.length === 0 ? html`<p>No client is connected.</p>` : html`<ul class="list">${connections.map((one) => connectionItem(one, seal))}</ul>`}
<p class="small">Signed in as ${renderText(visibleText(person.caller.principal))}.</p>
</main>`
  return page(body, { title: 'Connected clients' })
}

/** `POST /connections`: ends the connection that the form names. */
export async function submitDisconnection(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and the connection goes on. Sign in and end it again.',
    )
  const { surface } = pages
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  verifyFormSeal(form, person, SEAL, pages)
  await requireOAuth(pages).disconnect(person.caller, form.get('connection') ?? '')
  return redirect(PATH)
}

function requireOAuth({ surface }: Pages): HttpOAuth {
  // The routes exist only where there is OAuth.
  if (surface.oauth === undefined) throw edgeError('no_such_path', 'There is no such page here.')
  return surface.oauth
}

function connectionItem(connection: ClientConnection, seal: string): Html {
  const { id, client, scopes, createdAt, expiresAt } = connection
  const name = renderText(visibleText(connection.name))
  return html`<li><strong>${name}</strong>
<dl><dt>Client id</dt><dd><code>${renderText(visibleText(client))}</code></dd>
<dt>It may</dt><dd>${scopes === undefined ? 'use every tool that you let agents use' : scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>Connected</dt><dd>${formatTime(createdAt)}</dd><dt>Ends</dt><dd>${formatTime(expiresAt)}</dd></dl>
<form method="post" action="${PATH}"><input type="hidden" name="seal" value="${seal}"><input type="hidden" name="connection" value="${id}"><div class="answers"><button>End the connection of ${name}</button></div></form></li>`
}
