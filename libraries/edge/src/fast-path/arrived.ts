import type { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import type { StraightHead, StraightRequest } from './straight-way.ts'

/** A request while it is answered. Its signal is made only when somebody asks for it. */
export class Arrived implements StraightRequest {
  readonly path: string
  readonly headers: StraightRequest['headers']
  readonly body: Buffer
  private readonly socket: Socket
  private left: AbortController | undefined
  private hasLeft = false

  constructor({ path, headers }: StraightHead, body: Buffer, socket: Socket) {
    this.path = path
    this.headers = headers
    this.body = body
    this.socket = socket
  }

  readonly peer = (): string | undefined => this.socket.remoteAddress

  readonly leaving = (): AbortSignal => {
    this.left ??= new AbortController()
    if (this.hasLeft) this.left.abort()
    return this.left.signal
  }

  leave(): void {
    this.hasLeft = true
    this.left?.abort()
  }
}
