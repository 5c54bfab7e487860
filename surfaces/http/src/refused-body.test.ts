import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openTestServer } from './fixtures/open-test-server.ts'

const MEGABYTE = 1_048_576

/** Sends all of a body before it reads anything, as simple clients do; what it reads afterwards. */
function sendThenRead(port: number, head: string, bodyBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
    socket.write(head)
    const piece = Buffer.alloc(MEGABYTE, 'x')
    const send = (left: number): void => {
      if (left === 0) socket.resume()
      // A pause between pieces, in which a connection that was reset is noticed.
      else socket.write(piece, () => setTimeout(send, 20, left - MEGABYTE))
    }
    send(bodyBytes)
  })
}

test('a client that sends a body which was refused long ago still reads the refusal', async () => {
  const server = await openTestServer({})
  const bodyBytes = 8 * MEGABYTE
  const head = [
    'POST /v1/tools/demo.echo/call HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.tokens.bob}`,
    'Content-Type: application/json',
    `Content-Length: ${bodyBytes}`,
    '\r\n',
  ].join('\r\n')
  const text = await sendThenRead(server.port, head, bodyBytes)
  expect(text.slice(0, 12)).toBe('HTTP/1.1 413')
  expect(text).toContain('"source_code":"body_too_large"')
  await server.close()
})
