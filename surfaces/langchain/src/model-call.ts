import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager'
import type { ToolRunnableConfig } from '@langchain/core/tools'
import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Outcome, Tool } from '@surehand/core'
import { type Edit, editedInput } from './edit.ts'

/** One call of a tool by a model, as the framework passes it. */
export type ModelCall = {
  readonly tool: Tool
  readonly input: unknown
  /** Undefined if the tool was invoked with nothing but its input. */
  readonly id: string | undefined
  /** The edits of the input by people, in order. */
  readonly edits: readonly Edit[]
  readonly config: Partial<ToolRunnableConfig> & Pick<LangGraphRunnableConfig, 'writer'>
  readonly events: CallbackManagerForToolRun | undefined
}

/** The call after an edit. An edit that is invalid changes nothing. */
export function editedCall(call: ModelCall, edit: Edit): ModelCall {
  const edited = editedInput(call.tool, call.input, edit)
  return 'problem' in edited ? call : { ...call, edits: [...call.edits, edit], input: edited.input }
}

/** What a call has come to, and what is added to it for the person or the model. */
export type CallResult = {
  /** The call, with the edits of a person. */
  readonly call: ModelCall
  readonly outcome: Outcome
  /** Why the same request is shown to the person again. */
  readonly problem?: string
  /** A sentence that is added to the model's reply. */
  readonly note?: string
}
