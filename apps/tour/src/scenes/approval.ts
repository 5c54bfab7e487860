import { ToolError } from '@surehand/core'
import { buy } from '../shop.ts'
import type { Stage } from '../stage.ts'

/** An approval is one person's single-use yes to exactly one call. */
export async function aPersonSaysYes({
  runtime,
  service,
  ann,
  agent,
  screen,
}: Stage): Promise<void> {
  screen.heading('What cannot be undone waits for a person')
  const input = {
    productId: 'tea',
    quantity: 2,
    cardToken: 'tok_visa_4242424242424242',
    idempotencyKey: 'order-1',
  }
  const asked = await runtime.call({ tool: buy, input, caller: agent })
  screen.call('the agent calls shop.buy for 2 × tea', asked)
  if (asked.status !== 'pending')
    throw new ToolError('TOOL_INTERNAL_ERROR', 'The tour expected a question.')
  const { approval } = asked
  screen.say(
    `the person sees: ${approval.asks}  input ${JSON.stringify(JSON.parse(approval.shown).input)}`,
  )
  const byAgent = await runtime.approvals
    .decide(agent, approval.id, { verdict: 'approve', digest: approval.digest })
    .catch((error: Error) => error.message)
  screen.say(`the agent tries to say yes itself: ${byAgent}`)
  await runtime.approvals.decide(ann, approval.id, { verdict: 'approve', digest: approval.digest })
  const done = await runtime.answer(ann, approval.callId)
  if (done !== undefined)
    screen.call(`ann says yes; the call ran by itself (${approval.callId.slice(0, 12)}…)`, done)
  screen.say(`charges at the service so far: ${service.charges()}`)
}
