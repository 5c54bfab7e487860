import { connect, type Socket } from 'node:net'
import type { Clock } from '@surehand/core/ports'
import { isSameAddress } from './classify-address.ts'
import { accessDenied } from './egress-errors.ts'

/** Opens a connection to an IP address, never to a name. */
export type Dial = (to: { readonly address: string; readonly port: number }) => Socket

export const systemDial: Dial = ({ address, port }) =>
  connect({ host: address, port, noDelay: true, keepAlive: true, autoSelectFamily: false })

export type DialOptions = {
  readonly addresses: readonly string[]
  readonly port: number
  readonly dial: Dial
  readonly clock: Clock
  readonly signal: AbortSignal
}

// RFC 8305: the time one address is tried alone before the next is tried in parallel.
const HEAD_START_MS = 250

/** Connects to whichever of these addresses answers first, and to no other address. */
export function dialFirst({ addresses, port, dial, clock, signal }: DialOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const left = [...addresses]
    const open = new Set<Socket>()
    let isOver = false
    let cancelNext = () => {}

    function finish(winner?: Socket): void {
      isOver = true
      cancelNext()
      signal.removeEventListener('abort', onAbort)
      for (const socket of open) if (socket !== winner) socket.destroy()
    }
    function fail(reason: Error): void {
      finish()
      reject(reason)
    }
    const onAbort = () => fail(signal.reason)

    function tryNext(): void {
      cancelNext()
      const address = left.shift()
      if (address === undefined) return
      const socket = dial({ address, port })
      open.add(socket)
      const onError = (error: Error) => {
        open.delete(socket)
        if (isOver) return
        if (left.length > 0) tryNext()
        else if (open.size === 0) fail(error)
      }
      // Registered until the caller listens: an `error` event without a listener ends the process.
      socket.on('error', onError)
      socket.once('connect', () => {
        const mismatch = checkPeer(socket, { address, port })
        if (mismatch !== undefined) return fail(mismatch)
        finish(socket)
        socket.off('error', onError)
        resolve(socket)
      })
      if (left.length > 0) cancelNext = clock.after(HEAD_START_MS, tryNext)
    }

    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    tryNext()
  })
}

// The last check before a byte is sent: nothing between this process and the address may have
// redirected the connection.
function checkPeer(
  socket: Socket,
  { address, port }: { readonly address: string; readonly port: number },
): Error | undefined {
  const { remoteAddress = 'no address', remotePort } = socket
  if (isSameAddress(remoteAddress, address) && remotePort === port) return undefined
  return accessDenied({
    where: `${address}:${port}`,
    why: `the connection ended at ${remoteAddress}:${remotePort} instead`,
    todo: 'Something on this machine redirects connections, and egress connects only to the address that it checked.',
  })
}
