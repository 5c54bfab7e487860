import { PassThrough, type Writable } from 'node:stream'
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller, Runtime } from '@surehand/core'
import { type McpOptions, surfaceOf } from './options.ts'
import { sdkServer } from './sdk-server.ts'

export type McpStdioOptions = {
  readonly runtime: Runtime
  /** Who started the process: there is no token on a pipe. */
  readonly caller: Caller
  readonly options?: McpOptions
}

/** MCP on this process's stdin and stdout, for both eras. From here on stdout carries the protocol and nothing else. */
export function serveMcpStdio({ runtime, caller, options = {} }: McpStdioOptions): StdioServerHandle {
  const surface = surfaceOf(runtime, options)
  const transport = new StdioServerTransport(process.stdin, takeStdout())
  return serveStdio(({ era }) => sdkServer(surface, era, () => caller), { transport })
}

/**
 * The real stdout for the protocol alone. One line that a tool prints there would break the client's parser,
 * so whatever else writes to stdout (console.log too) comes out on stderr.
 */
function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  const protocol = new PassThrough()
  protocol.on('data', (chunk: Uint8Array) => {
    // a client that reads slowly slows us down, instead of filling our memory
    if (write(chunk)) return
    protocol.pause()
    process.stdout.once('drain', () => protocol.resume())
  })
  return protocol
}
