import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager'
import type { ToolRunnableConfig } from '@langchain/core/tools'
import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Tool } from '@surehand/core'
import { type Edit, editedInput } from './edit.ts'

/** One use of a tool by a model, as the framework hands it over. */
export type ModelCall = {
  readonly tool: Tool
  readonly input: unknown
  /** Undefined where somebody invoked the tool with nothing but its input. */
  readonly id: string | undefined
  /** What a person made of the input, one time after the other; none while it is the model's own wish. */
  readonly edits: readonly Edit[]
  readonly config: Partial<ToolRunnableConfig> & Pick<LangGraphRunnableConfig, 'writer'>
  readonly events: CallbackManagerForToolRun | undefined
}

/** The call a person made of it. An edit that was refused when it was given is none. */
export function editedCall(call: ModelCall, edit: Edit): ModelCall {
  const edited = editedInput(call.tool, call.input, edit)
  return 'problem' in edited ? call : { ...call, edits: [...call.edits, edit], input: edited.input }
}
