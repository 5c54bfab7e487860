import type { ServerResponse } from 'node:http'
import { edgeError } from '@surehand/edge'
import type { HttpContext } from './http-env.ts'

/** Aborts when the client disconnects before it has its response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const onClose = (): void => {
    if (!response.writableFinished)
      controller.abort(edgeError('malformed', 'The client has disconnected.'))
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  return controller.signal
}

/** The same for a request of the Hono app, with or without a socket behind it. */
export function disconnectSignalOf({ env, req }: HttpContext): AbortSignal {
  return env?.outgoing === undefined ? req.raw.signal : disconnectSignal(env.outgoing)
}
