import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '@surehand/core'
import type { EdgeState } from '@surehand/edge'
import { admitCaller } from './admit-caller.ts'
import { wantsEvents } from './asked.ts'
import { answered, callRequest } from './call-tool.ts'
import { corsHeaders } from './cors.ts'
import { guard } from './guard.ts'
import { leaving } from './leaving.ts'
import type { Surface } from './options.ts'
import { type Answer, plainOutcome, reply } from './reply.ts'
import { tellable } from './tellable.ts'
import { nodeVisit, type Visit } from './visit.ts'

const CALL = /^\/v1\/tools\/(\w[\w.~-]*)\/call$/

type Named = {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly accept?: string | undefined }
}

/** The tool this plain call names; undefined for whatever the app answers: everything else, and progress as events. */
export function calledTool({ method, url, headers }: Named): string | undefined {
  if (method !== 'POST' || wantsEvents(headers.accept)) return undefined
  return CALL.exec(url ?? '')?.[1]
}

/** The busiest path, on Node's own request and response. */
export async function serveCall(
  tool: string,
  request: IncomingMessage,
  response: ServerResponse,
  surface: Surface,
): Promise<void> {
  const called = { visit: nodeVisit(request, surface), leaving: () => leaving(response) }
  const { status, headers, text } = await answerCall(tool, called, surface)
  response.writeHead(status, headers)
  response.end(text)
}

/** A call as it arrived, and how to know that its client has gone. */
export type Called = { readonly visit: Visit; readonly leaving: () => AbortSignal }

/** The answer to a plain call, whichever way it came. */
export async function answerCall(
  tool: string,
  { visit, leaving }: Called,
  surface: Surface,
): Promise<Answer> {
  let edge: EdgeState | undefined
  let cors: Readonly<Record<string, string>> | undefined
  let command = 'http'
  let outcome: Outcome
  try {
    guard(visit, surface)
    cors = corsHeaders(visit, surface)
    command = 'tools.call'
    // awaited also where it is known at once: a body that came with its headers is handed on right behind them
    const admitted = await admitCaller(visit, surface)
    edge = admitted.edge
    const coming = callRequest(visit, { tool, caller: admitted.caller, leaving }, surface)
    outcome = await answered(coming instanceof Promise ? await coming : coming, surface)
  } catch (thrown) {
    outcome = plainOutcome(command, { error: tellable(thrown, visit, surface) }, visit, surface)
  }
  const answer = reply(outcome, { accept: visit.header('accept'), edge }, surface)
  return cors === undefined ? answer : { ...answer, headers: { ...answer.headers, ...cors } }
}
