export { type ClientPort, type ClientSide, clientPort, createClientSide } from './client-side.ts'
export type { McpHttpOptions } from './http-options.ts'
export { type McpHandler, type McpHandlerOptions, mcpHandler } from './mcp-handler.ts'
export type { McpOptions } from './options.ts'
