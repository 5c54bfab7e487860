import { Command, type Interrupt, MemorySaver } from '@langchain/langgraph'
import type { Caller, Runtime } from '@surehand/core'
import { type ApprovalRequest, tools } from '@surehand/langchain'
import { type BaseMessage, createAgent, ToolMessage } from 'langchain'
import type { OpenedModel } from './open-model.ts'
import type { Person } from './person.ts'
import { HOST } from './shop.ts'

export type Conversation = {
  readonly runtime: Runtime
  /** The person the agent acts for. The host sets it, and no message of the model changes it. */
  readonly caller: Caller
  readonly model: OpenedModel['model']
  readonly person: Person
  readonly say: (line: string) => void
}

type State = {
  readonly messages: readonly BaseMessage[]
  readonly __interrupt__?: readonly Interrupt[] | undefined
}

/**
 * Runs the agent with one request until its final answer, and asks the person to decide at every
 * interrupt.
 */
export async function converse(
  wish: string,
  { runtime, caller, model, person, say }: Conversation,
): Promise<string> {
  const agent = createAgent({
    model,
    tools: await tools(runtime, caller, { host: HOST }),
    checkpointer: new MemorySaver(),
    systemPrompt: 'You order flowers. Look up the price first. Say only what the tools answered.',
  })
  // The thread id is part of every idempotency key, so that resuming the thread does not repeat its
  // calls.
  const config = { configurable: { thread_id: 'flowers' } }
  let state: State = await agent.invoke({ messages: wish }, config)
  for (
    let request = pendingApproval(state);
    request !== undefined;
    request = pendingApproval(state)
  ) {
    say(`The agent wants: ${request.actionRequests[0].description}`)
    state = await agent.invoke(
      new Command({ resume: { decisions: [await person.decide(request)] } }),
      config,
    )
  }
  for (const message of state.messages)
    if (ToolMessage.isInstance(message)) say(`${message.name}: ${message.text.split('\n')[0]}`)
  return state.messages.at(-1)?.text ?? ''
}

function pendingApproval({ __interrupt__: interrupts = [] }: State): ApprovalRequest | undefined {
  return interrupts[0]?.value as ApprovalRequest | undefined
}
