import type { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import type { FastPathRequest, RequestHead } from './fast-path.ts'

/**
 * A request until it is answered. Its abort controller is created only when the handler asks for
 * the signal.
 */
export class PendingRequest implements FastPathRequest {
  readonly path: string
  readonly headers: FastPathRequest['headers']
  readonly takesChunks: boolean
  readonly body: Buffer
  private readonly socket: Socket
  private controller: AbortController | undefined
  private isDisconnected = false

  constructor({ path, headers, takesChunks }: RequestHead, body: Buffer, socket: Socket) {
    this.path = path
    this.headers = headers
    this.takesChunks = takesChunks
    this.body = body
    this.socket = socket
  }

  readonly peerAddress = (): string | undefined => this.socket.remoteAddress

  readonly disconnectSignal = (): AbortSignal => {
    this.controller ??= new AbortController()
    if (this.isDisconnected) this.controller.abort()
    return this.controller.signal
  }

  disconnect(): void {
    this.isDisconnected = true
    this.controller?.abort()
  }
}
