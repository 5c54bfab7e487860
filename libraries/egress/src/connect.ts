import type { Socket } from 'node:net'
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls'
import type { Clock } from '@surehand/core/ports'
import { type Dial, dialFirst } from './dial.ts'
import { patience } from './patience.ts'

/** A way that was checked: these addresses, at this port, as this host. */
export type Route = {
  readonly origin: string
  readonly addresses: readonly string[]
  readonly port: number
  readonly host: string
  readonly isAddress: boolean
  readonly isSecure: boolean
}

export type Connecting = {
  readonly dial: Dial
  readonly clock: Clock
  readonly connectMs: number
  readonly trust: SecureContext
  readonly signal: AbortSignal
}

/** Who is trusted: whom the machine trusts, and these (PEM). Made once: reading all authorities takes milliseconds. */
export function trustIn(certificateAuthorities: readonly string[]): SecureContext {
  const ca =
    certificateAuthorities.length === 0
      ? {}
      : { ca: [...getCACertificates(), ...certificateAuthorities] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** Opens a connection along a route, TLS included. */
export async function connectAlong(route: Route, connecting: Connecting): Promise<Socket> {
  const { dial, clock, connectMs, signal } = connecting
  const limit = patience({
    clock,
    limitMs: connectMs,
    failing: 'did not take the connection',
    signal,
  })
  try {
    const socket = await dialFirst({
      addresses: route.addresses,
      port: route.port,
      dial,
      clock,
      signal: limit.signal,
    })
    return route.isSecure
      ? await secured(socket, route, { ...connecting, signal: limit.signal })
      : socket
  } finally {
    limit.end()
  }
}

// by hand, so that the peer was looked at before the first byte of the handshake, which names the host
function secured(
  socket: Socket,
  { host, isAddress }: Route,
  { trust, signal }: Connecting,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      // an address is no server name; its certificate is checked against the address all the same
      ...(isAddress ? { host } : { host, servername: host }),
      ALPNProtocols: ['http/1.1'],
      secureContext: trust,
      // said aloud: NODE_TLS_REJECT_UNAUTHORIZED would turn the default off
      rejectUnauthorized: true,
    })
    const onAbort = () => fail(signal.reason)
    const onEnd = () =>
      fail(
        Object.assign(new Error('The connection was closed during the handshake.'), {
          code: 'ECONNRESET',
        }),
      )
    function fail(reason: Error): void {
      signal.removeEventListener('abort', onAbort)
      secure.destroy()
      socket.destroy()
      reject(reason)
    }
    secure.on('error', fail)
    secure.once('end', onEnd)
    signal.addEventListener('abort', onAbort, { once: true })
    secure.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort)
      secure.off('error', fail).off('end', onEnd)
      resolve(secure)
    })
  })
}
