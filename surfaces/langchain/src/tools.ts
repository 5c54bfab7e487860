import type { Caller, Runtime } from '@surehand/core'
import type { ToolOptions } from './options.ts'
import { type LangChainTool, tool } from './tool.ts'

/**
 * The tools that a caller may use now, for `createAgent`, a `ToolNode`, or to be invoked directly.
 */
export async function tools(
  runtime: Runtime,
  caller: Caller,
  options: ToolOptions = {},
): Promise<LangChainTool[]> {
  const visible = await runtime.visibleTools(caller)
  // The input type of a listed tool is known only at run time.
  return visible.map((definition) => tool(runtime, caller, definition, options) as LangChainTool)
}
