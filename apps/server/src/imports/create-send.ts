import { type Caller, ToolError } from '@surehand/core'
import type { ForeignCall, KeepFile } from '@surehand/core/host'
import type { Egress } from '@surehand/egress'
import { type Send, type SourceAnswer, securedSend, type Vault } from '@surehand/vault'

export type OutboundContext = {
  readonly egress: Egress
  readonly vault: Vault
  /** Stores what is too large for an answer. */
  readonly keep: KeepFile
  /** Is told of every error of a request, and notes those that egress refused. */
  readonly onSendFailure: OnSendFailure
}

export type OnSendFailure = (
  source: { readonly tenant: string; readonly name: string },
  thrown: unknown,
) => void

/** The source that a call belongs to: its tools begin with its name. */
export function sourceOf({ tool, caller }: Pick<ForeignCall, 'tool' | 'caller'>) {
  return { tenant: caller.tenant, name: tool.replace(/\..*$/, '') }
}

/** The credential for each security scheme of a source; default: the one called `NAME.SCHEME`. */
export type References = Readonly<Record<string, string>>

/**
 * Sends requests of imported tools: adds the credentials of the call's tenant, then goes through
 * egress.
 */
export function createSend(
  { egress, vault, onSendFailure }: Omit<OutboundContext, 'keep'>,
  references: References,
): Send {
  return securedSend({
    vault,
    references,
    async exchange(
      { request, credentialHeaders, credentialQuery, credentialFields },
      call,
      signal,
    ): Promise<SourceAnswer> {
      const sent = egress.fetch({
        tenant: call.caller.tenant,
        url: request.url,
        method: request.method,
        headers: request.headers,
        credentialHeaders,
        credentialQuery,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(credentialFields.length === 0 ? {} : { redirect: 'stop' }),
        signal,
        maxBytes: request.maxBytes,
      })
      sent.catch((thrown: unknown) => onSendFailure(sourceOf(call), thrown))
      const { status, headers, bytes } = await sent
      return { status, headers: Object.fromEntries(headers), body: bytes, isCut: false }
    },
  })
}

/** An import fetches its document like a call, so that the same credentials and rules apply. */
export function importCall(name: string, by: Caller): ForeignCall {
  return {
    tool: `${name}.import`,
    input: {},
    caller: by,
    callId: `import of ${name}`,
    idempotencyKey: `import of ${name}`,
  }
}

const MOST_DOCUMENT_BYTES = 32 * 1_048_576

/** Fetches a published document with the credentials that its import names. */
export async function fetchDocument(
  send: Send,
  url: string,
  call: ForeignCall,
  signal: AbortSignal,
): Promise<string> {
  const headers = {
    accept: 'application/json, application/yaml, text/yaml, text/plain;q=0.5, */*;q=0.1',
  }
  const answer = await send(
    { method: 'GET', url, headers, security: [], maxBytes: MOST_DOCUMENT_BYTES },
    call,
    signal,
  )
  const message = `${new URL(url).host} responded with status ${answer.status} to the request for the document.`
  if (answer.status >= 400 && answer.status < 500)
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', message, {
      suggestions: ['Check the address, and whether it needs a credential.'],
    })
  if (answer.status !== 200) throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', message)
  return new TextDecoder().decode(answer.body)
}
