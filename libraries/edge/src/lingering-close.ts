import type { Socket } from 'node:net'

// Long enough for a client to read its answer; slower ones have it in their receive buffer by then.
const LINGER_MS = 2_000

/**
 * Lets a client that is still sending read the answer that ends its connection. A socket that is
 * destroyed with bytes unread makes the kernel reset the connection, and the client loses a refusal
 * that it has not read yet. Instead the sending side is closed, and what arrives is dropped until
 * the client closes too, or for two seconds.
 */
export function lingerOnClose(socket: Socket): void {
  // Node's server calls this after the last response of a connection.
  socket.destroySoon = () => {
    if (socket.destroyed) return
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
    if (socket.readableEnded) socket.once('finish', () => socket.destroy())
    else socket.once('end', () => socket.destroy())
    socket.end()
    socket.resume()
  }
}
