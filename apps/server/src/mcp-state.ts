import type { App } from './app.ts'

/** What a question to a client is signed with, and where it is seen that it is answered once; the same at every door to MCP. */
export function createRequestState({ keys, stores }: Pick<App, 'keys' | 'stores'>) {
  return {
    key: keys.requestState,
    useOnce: async (id: string, validForMs: number): Promise<boolean> =>
      (await stores.limits.take([{ key: `mcp-state:${id}`, max: 1, windowMs: validForMs }])).ok,
  }
}
