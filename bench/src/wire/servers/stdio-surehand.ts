import type { Caller } from '../../../../core/src/index.ts'
import { serveMcpStdio } from '../../../../surfaces/mcp/src/index.ts'
import { openReadApp } from './shop-app.ts'

const caller: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'user',
  roles: ['user'],
  capabilities: ['cart.read'],
}
const { runtime } = await openReadApp()
serveMcpStdio({ runtime, caller })
