import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { edgeError, readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import { type Html, html } from './html.ts'
import { page, redirect } from './page.ts'
import { hasInvisibleCharacters, renderText } from './render-value.ts'
import {
  askToSignIn,
  comeFromHere,
  findSignedInPerson,
  type Pages,
  type SignedInPerson,
  verifyFormSeal,
} from './signed-in-person.ts'

/** What an OAuth client asks a person for. Everything in it was written by the client. */
export type ClientRequest = {
  readonly client: {
    readonly id: string
    /** The name that it gives itself. */
    readonly name: string | undefined
    /** The host that publishes the client's metadata; undefined where it registered itself. */
    readonly publishedBy: string | undefined
  }
  /** Where the person is sent afterwards; it was compared with what the client registered. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The scope that is not limited to some capabilities. */
  readonly isUnlimited: boolean
  readonly expiresAt: number
}

/** Node's own objects: the library that keeps the request reads and writes cookies with them. */
export type NodeExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A client that acts for a person. */
export type ClientConnection = {
  readonly id: string
  /** The name that it gave itself. */
  readonly name: string
  readonly client: string
  /** Undefined: every tool that the person lets agents use. */
  readonly scopes?: readonly string[] | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

/** The requests of OAuth clients, and what people decide about them. */
export type HttpOAuth = {
  /** The clients that act for this person. */
  readonly connections: (by: Caller) => Promise<readonly ClientConnection[]>
  /** Ends one of the person's own connections, and throws where there is no such one. */
  readonly disconnect: (by: Caller, id: string) => Promise<void>
  /** Undefined where it has ended, or where another browser began it. */
  readonly find: (id: string, exchange: NodeExchange) => Promise<ClientRequest | undefined>
  /** Returns the address at which the client's request goes on. */
  readonly decide: (
    id: string,
    verdict: 'allow' | 'deny',
    by: Caller,
    exchange: NodeExchange,
  ) => Promise<string>
}

const FORM_BYTES = 4_096

/** The page on which a person lets an OAuth client act for them, or not. */
export async function showClientConsent(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return comeFromHere(context) ?? askToSignIn(context)
  const { id, oauth, exchange } = readExchange(context, pages)
  const asked = await oauth.find(id, exchange)
  if (asked === undefined) return expiredPage()
  const seal = pages.sessions.seal(person.session, sealPurpose(id, asked))
  return page(consentBody(id, asked, { person, seal }), {
    title: 'Let this client act for you?',
    formTarget: formSource(asked.redirectUri),
  })
}

export async function submitClientConsent(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was allowed. Sign in and decide again.',
    )
  const { surface } = pages
  const { id, oauth, exchange } = readExchange(context, pages)
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const asked = await oauth.find(id, exchange)
  if (asked === undefined) return expiredPage()
  verifyFormSeal(form, person, sealPurpose(id, asked), pages)
  const verdict = form.get('verdict')
  if (verdict !== 'allow' && verdict !== 'deny')
    throw edgeError('malformed', 'The verdict must be allow or deny.')
  return redirect(await oauth.decide(id, verdict, person.caller, exchange))
}

function readExchange(context: HttpContext, { surface }: Pages) {
  const { incoming, outgoing } = context.env
  const { oauth } = surface
  // The routes exist only where there is OAuth, and pages are served by Node's server.
  if (oauth === undefined || incoming === undefined || outgoing === undefined)
    throw edgeError('no_such_path', 'There is no such page here.')
  const exchange: NodeExchange = { request: incoming, response: outgoing }
  return { id: context.req.param('id') ?? '', oauth, exchange }
}

// The form is valid only for what was shown: this request, of this client, for these scopes.
function sealPurpose(id: string, { client, redirectUri, scopes }: ClientRequest): string {
  return ['client consent', id, client.id, redirectUri, ...scopes].join('\n')
}

function expiredPage(): Response {
  const body = html`<main><h1>This request has ended</h1><p>It was decided already, it is older than ten minutes, or it began in another browser. Nothing was allowed here. Connect again from the client.</p></main>`
  return page(body, { title: 'This request has ended', status: 404 })
}

function consentBody(
  id: string,
  { client, redirectUri, scopes, isUnlimited, expiresAt }: ClientRequest,
  { person, seal }: { readonly person: SignedInPerson; readonly seal: string },
): Html {
  const name = visibleText(client.name ?? 'A client without a name')
  const { tenant, principal } = person.caller
  const warning = hasInvisibleCharacters(name)
    ? html`<p class="danger" role="alert">The name of this client contains invisible characters. They are marked.</p>`
    : undefined
  return html`<main><p class="eyebrow">An MCP client wants to connect</p>
<h1>Let ${renderText(name)} act for you?</h1>
${warning}
<dl>
<dt>Client</dt><dd>${renderText(name)}
<span class="small">${client.publishedBy === undefined ? 'It registered itself: nobody has checked this name.' : html`Published by ${renderText(visibleText(client.publishedBy))}.`}</span></dd>
<dt>You</dt><dd>${renderText(visibleText(principal))} in ${renderText(visibleText(tenant))}</dd>
<dt>It may</dt><dd>${isUnlimited ? 'use every tool that you let agents use.' : html`use only the tools that need no more than ${scopes.map((scope) => html`<code>${scope}</code> `)}`}
<span class="small">It acts as an AI agent: a call that requires your approval still waits for you.</span></dd>
<dt>You are sent to</dt><dd>${renderText(visibleText(describeTarget(redirectUri)))}</dd>
<dt>Until</dt><dd>${new Date(expiresAt).toISOString().slice(0, 10)}, or until you end it on the page of your <a href="/connections">connected clients</a>.</dd>
</dl>
<p>Allow this only if you have just connected this client yourself.</p>
<form method="post" action="/oauth/consent/${encodeURIComponent(id)}"><input type="hidden" name="seal" value="${seal}">
<div class="answers"><button name="verdict" value="deny">Deny</button><button class="yes" name="verdict" value="allow">Allow</button></div></form></main>`
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function describeTarget(redirectUri: string): string {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (LOOPBACK.test(hostname)) return `${host}, a program on this computer`
  return protocol === 'https:' ? host : `${protocol} links, a program on this computer`
}

// A policy has no form for an IPv6 address, and none but the scheme for a program's own links.
function formSource(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri)
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}
