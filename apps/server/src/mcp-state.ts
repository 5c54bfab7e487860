import type { App } from './app.ts'

/**
 * The key that signs request state for MCP clients, and the check that each state is used once;
 * shared by both MCP transports.
 */
export function createRequestState({ keys, stores }: Pick<App, 'keys' | 'stores'>) {
  return {
    key: keys.requestState,
    useOnce: async (id: string, validForMs: number): Promise<boolean> =>
      (await stores.limits.take([{ key: `mcp-state:${id}`, max: 1, windowMs: validForMs }])).ok,
  }
}
