import type { Socket } from 'node:net'
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls'
import type { Clock } from '@surehand/core/ports'
import { startDeadline } from './deadline.ts'
import { type Dial, dialFirst } from './dial.ts'

/** A checked route: these addresses and this port, for this host. */
export type Route = {
  readonly origin: string
  readonly addresses: readonly string[]
  readonly port: number
  readonly host: string
  readonly isAddress: boolean
  readonly isSecure: boolean
}

export type ConnectOptions = {
  readonly dial: Dial
  readonly clock: Clock
  readonly connectMs: number
  readonly trust: SecureContext
  readonly signal: AbortSignal
}

/**
 * Trusts the machine's certificate authorities and the given ones (PEM). Create it once: reading
 * all authorities takes milliseconds.
 */
export function createTrustContext(certificateAuthorities: readonly string[]): SecureContext {
  const ca =
    certificateAuthorities.length === 0
      ? {}
      : { ca: [...getCACertificates(), ...certificateAuthorities] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** Opens a connection to a route, including TLS. */
export async function openConnection(route: Route, connecting: ConnectOptions): Promise<Socket> {
  const { dial, clock, connectMs, signal } = connecting
  const limit = startDeadline({
    clock,
    limitMs: connectMs,
    failure: 'did not accept the connection',
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
      ? await startTls(socket, route, { ...connecting, signal: limit.signal })
      : socket
  } finally {
    limit.end()
  }
}

// Started here and not by undici, so that the peer is checked before the first byte of the
// handshake, which names the host.
function startTls(
  socket: Socket,
  { host, isAddress }: Route,
  { trust, signal }: ConnectOptions,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      // An IP address is not a valid server name. The certificate is still checked against the
      // address.
      ...(isAddress ? { host } : { host, servername: host }),
      ALPNProtocols: ['http/1.1'],
      secureContext: trust,
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
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
