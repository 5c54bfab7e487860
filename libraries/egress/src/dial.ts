import { connect, type Socket } from 'node:net'
import type { Clock } from '@surehand/core/ports'
import { isSameAddress } from './judge-address.ts'
import { refusal } from './refusal.ts'

/** Opens a connection to an address, and to no name. */
export type Dial = (to: { readonly address: string; readonly port: number }) => Socket

export const systemDial: Dial = ({ address, port }) =>
  connect({ host: address, port, noDelay: true, keepAlive: true, autoSelectFamily: false })

export type Dialling = {
  readonly addresses: readonly string[]
  readonly port: number
  readonly dial: Dial
  readonly clock: Clock
  readonly signal: AbortSignal
}

// RFC 8305: so long one address is waited for alone before the next is tried beside it
const HEAD_START_MS = 250

/** Connects to the first of these addresses that answers; to these and to no others. */
export function dialFirst({ addresses, port, dial, clock, signal }: Dialling): Promise<Socket> {
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
      // it stays until somebody else listens: an error that nobody hears ends the process
      socket.on('error', onError)
      socket.once('connect', () => {
        const stranger = strangerAt(socket, { address, port })
        if (stranger !== undefined) return fail(stranger)
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

// the last look before a byte leaves: whatever stood between us and the address must not have led elsewhere
function strangerAt(
  socket: Socket,
  { address, port }: { readonly address: string; readonly port: number },
): Error | undefined {
  const { remoteAddress = 'nobody', remotePort } = socket
  if (isSameAddress(remoteAddress, address) && remotePort === port) return undefined
  return refusal({
    where: `${address}:${port}`,
    why: `the connection ended at ${remoteAddress}:${remotePort} instead`,
    todo: 'Something on this machine turns connections elsewhere; egress goes to the address it checked, or nowhere.',
  })
}
