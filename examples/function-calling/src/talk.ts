import type { Envelope } from '@surehand/core'
import {
  collect,
  type FunctionCalling,
  functionCalling,
  type ProviderName,
  serverSentEvents,
} from '@surehand/function-calling'
import { awaitingApproval, createApprovingPerson, type Person } from './decide.ts'
import { assistant, openShop, type Shop } from './shop.ts'

export type Delivery = 'whole' | 'streamed'
export type Talk = { readonly delivery: Delivery; readonly say: (line: string) => void }

/**
 * What every loop here works with: a shop, its tools in the provider's format, and a function that
 * answers a response.
 */
export type Chat<P extends ProviderName> = {
  readonly shop: Shop
  readonly calling: FunctionCalling<P>
  /**
   * Makes the calls of a response. If one requires approval, a person decides, and the same
   * response is handled again for the result.
   */
  readonly answer: (response: unknown) => ReturnType<FunctionCalling<P>['handle']>
}

export function createChat<P extends ProviderName>(provider: P, { say }: Talk): Chat<P> {
  const shop = openShop()
  let envelopes: Envelope[] = []
  const calling = functionCalling(shop.runtime, assistant, {
    provider,
    run: 'the only chat of this program',
    onEnvelope(envelope) {
      envelopes.push(envelope)
      say(`${envelope.command}: ${envelope.error?.code ?? JSON.stringify(envelope.data)}`)
    },
  })
  const person: Person = createApprovingPerson(shop.runtime, say)
  async function answer(response: unknown): ReturnType<FunctionCalling<P>['handle']> {
    envelopes = []
    const messages = await calling.handle(response)
    const pending = awaitingApproval(envelopes)
    if (pending.length === 0) return messages
    for (const envelope of pending) await person(envelope)
    return calling.handle(response)
  }
  return { shop, calling, answer }
}

export type Post = {
  readonly provider: ProviderName
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly delivery: Delivery
}

/** One request to a model, answered whole or as a stream. */
export async function post({ provider, url, headers, body, delivery }: Post): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok || response.body === null)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return delivery === 'streamed'
    ? collect(provider, serverSentEvents(response.body))
    : response.json()
}
