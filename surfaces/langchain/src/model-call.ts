import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager'
import type { ToolRunnableConfig } from '@langchain/core/tools'
import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import { digestOf, redact, type Tool } from '@surehand/core'
import { isRecord } from './is-record.ts'

/** One use of a tool by a model, as the framework hands it over. */
export type ModelCall = {
  readonly tool: Tool
  readonly input: unknown
  /** Undefined where somebody invoked the tool with nothing but its input. */
  readonly id: string | undefined
  /** What a person made of the input, one time after the other, as they gave it; none while it is the model's own wish. */
  readonly edits: readonly unknown[]
  readonly config: Partial<ToolRunnableConfig> & Pick<LangGraphRunnableConfig, 'writer'>
  readonly events: CallbackManagerForToolRun | undefined
}

/** The call a person made of it. What they left as it was shown stays what the model said: secrets are shown as digests. */
export function editedCall(call: ModelCall, edit: unknown): ModelCall {
  return {
    ...call,
    edits: [...call.edits, edit],
    input: unlessShown(edit, call.input, redact(call.tool.input.shape, call.input, digestOf)),
  }
}

function unlessShown(edit: unknown, original: unknown, shown: unknown): unknown {
  if (JSON.stringify(edit) === JSON.stringify(shown)) return original
  if (isRecord(edit) && isRecord(original) && isRecord(shown))
    return Object.fromEntries(Object.entries(edit).map(([field, value]) => [field, unlessShown(value, original[field], shown[field])]))
  if (Array.isArray(edit) && Array.isArray(original) && Array.isArray(shown))
    return edit.map((item, index) => unlessShown(item, original[index], shown[index]))
  return edit
}
