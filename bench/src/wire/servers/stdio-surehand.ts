import type { Caller } from '../../../../core/src/index.ts'
import { serveMcpStdio } from '../../../../surfaces/mcp/src/index.ts'
import { openReadHouse } from './house.ts'

const caller: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'user',
  roles: ['user'],
  capabilities: ['cart.read'],
}
const { runtime } = await openReadHouse()
serveMcpStdio({ runtime, caller })
