import { ToolError } from '@surehand/core'
import { buy } from '../shop.ts'
import type { TourContext } from '../tour-context.ts'

/** An approval is a person's single-use permission for exactly one call. */
export async function showApproval({
  runtime,
  service,
  ann,
  agent,
  screen,
}: TourContext): Promise<void> {
  screen.heading('A call that cannot be undone requires approval')
  const input = {
    productId: 'tea',
    quantity: 2,
    cardToken: 'tok_visa_4242424242424242',
    idempotencyKey: 'order-1',
  }
  const asked = await runtime.call({ tool: buy, input, caller: agent })
  screen.call('the agent calls shop.buy for 2 × tea', asked)
  if (asked.status !== 'pending')
    throw new ToolError('TOOL_INTERNAL_ERROR', 'The tour expected an approval request.')
  const { approval } = asked
  screen.say(
    `the person sees: ${approval.asks}  input ${JSON.stringify(JSON.parse(approval.shown).input)}`,
  )
  const byAgent = await runtime.approvals
    .decide(agent, approval.id, { verdict: 'approve', digest: approval.digest })
    .catch((error: Error) => error.message)
  screen.say(`the agent tries to approve its own call: ${byAgent}`)
  await runtime.approvals.decide(ann, approval.id, { verdict: 'approve', digest: approval.digest })
  const done = await runtime.answer(ann, approval.callId)
  if (done !== undefined)
    screen.call(`ann approves; the runtime makes the call (${approval.callId.slice(0, 12)}…)`, done)
  screen.say(`charges at the service so far: ${service.charges()}`)
}
