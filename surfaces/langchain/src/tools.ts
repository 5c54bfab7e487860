import type { Caller, Runtime } from '@surehand/core'
import type { ToolOptions } from './options.ts'
import { type LangChainTool, tool } from './tool.ts'

/** Everything a caller may use now, for `createAgent`, a `ToolNode`, or to be invoked by hand. */
export async function tools(
  runtime: Runtime,
  caller: Caller,
  options: ToolOptions = {},
): Promise<LangChainTool[]> {
  const visible = await runtime.visibleTools(caller)
  // erased: what a listed tool takes is known to its schema alone
  return visible.map((definition) => tool(runtime, caller, definition, options) as LangChainTool)
}
