import { type Caller, createRuntime, memoryStores } from '@surehand/core'
import { aPersonSaysYes } from './scenes/approval.ts'
import { whatHappened } from './scenes/audit.ts'
import { badInput } from './scenes/bad-input.ts'
import { nothingTwice } from './scenes/idempotency.ts'
import { limits } from './scenes/limits.ts'
import { reads } from './scenes/reads.ts'
import { createScreen } from './screen.ts'
import { paymentService, shop } from './shop.ts'
import type { Stage } from './stage.ts'

const service = paymentService()
const stores = memoryStores()
const runtime = createRuntime({ packs: [shop], stores, providers: { payments: service } })
const ann: Caller = {
  tenant: 'demo',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const stage: Stage = {
  runtime,
  stores,
  service,
  ann,
  agent: { ...ann, actor: 'ai_agent' },
  screen: createScreen((line) => console.log(line)),
}

stage.screen.say('')
stage.screen.say(
  'Surehand: tools that AI agents can be trusted with. Two tools, one runtime, a payment service that sometimes misbehaves.',
)
for (const scene of [reads, badInput, aPersonSaysYes, nothingTwice, limits, whatHappened])
  await scene(stage)
stage.screen.say('')
stage.screen.say(
  'The code of this tour: apps/tour/src. The way of a call: ARCHITECTURE.md. The tests: npm test.',
)
