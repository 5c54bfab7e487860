import { type Caller, createRuntime, memoryStores } from '@surehand/core'
import { showApproval } from './scenes/approval.ts'
import { showAudit } from './scenes/audit.ts'
import { showBadInput } from './scenes/bad-input.ts'
import { showIdempotency } from './scenes/idempotency.ts'
import { showLimits } from './scenes/limits.ts'
import { showReads } from './scenes/reads.ts'
import { createScreen } from './screen.ts'
import { createPaymentService, shop } from './shop.ts'
import type { TourContext } from './tour-context.ts'

const service = createPaymentService()
const stores = memoryStores()
const runtime = createRuntime({ packs: [shop], stores, providers: { payments: service } })
const ann: Caller = {
  tenant: 'demo',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const context: TourContext = {
  runtime,
  stores,
  service,
  ann,
  agent: { ...ann, actor: 'ai_agent' },
  screen: createScreen((line) => console.log(line)),
}

context.screen.say('')
context.screen.say(
  'Surehand enforces contracts on tool calls of AI agents. This tour has two tools, one runtime, and a payment service that sometimes fails.',
)
for (const scene of [showReads, showBadInput, showApproval, showIdempotency, showLimits, showAudit])
  await scene(context)
context.screen.say('')
context.screen.say(
  'The code of this tour: apps/tour/src. The pipeline of a call: ARCHITECTURE.md. The tests: npm test.',
)
