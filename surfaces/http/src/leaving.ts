import type { ServerResponse } from 'node:http'
import { edgeError } from './edge-error.ts'
import type { WireContext } from './wire.ts'

/** Aborts when the client goes before it has its answer. */
export function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  const leave = (): void => {
    if (!response.writableFinished) left.abort(edgeError('malformed', 'The client has left.'))
  }
  if (response.destroyed) leave()
  else response.once('close', leave)
  return left.signal
}

/** The same for what came through the app, with or without a socket behind it. */
export function leavingApp({ env, req }: WireContext): AbortSignal {
  return env?.outgoing === undefined ? req.raw.signal : leaving(env.outgoing)
}
