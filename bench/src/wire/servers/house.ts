import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Pack,
  type Runtime,
  type Stores,
} from '../../../../core/src/index.ts'
import { systemClock } from '../../../../core/src/ports.ts'
import {
  createIdentity,
  type Identity,
  createIdentityApi,
} from '../../../../libraries/identity/src/index.ts'
import { addToCart, cartInput, cartOutput, TOOL_DESCRIPTION } from '../../core/tool.ts'
import { READ_TOOL } from '../speech.ts'

const HOME = 'acme'
const root: Caller = {
  tenant: HOME,
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}

/** A house with one person in it, and the token they hold. */
export type House = {
  readonly runtime: Runtime
  readonly identity: Identity
  readonly token: string
}

export async function openHouse(runtime: Runtime, stores: Stores): Promise<House> {
  const clock = systemClock()
  const identity = createIdentity({ store: stores.admin, clock, home: HOME })
  const desk = createIdentityApi({
    administration: runtime.administration,
    directory: identity.directory,
    clock,
    home: HOME,
  })
  await desk.principals.put(root, 'amelie', {
    roles: ['user'],
    capabilities: ['cart.read', 'cart.write'],
  })
  const { token } = await desk.tokens.create(root, { name: 'bench', principal: 'amelie' })
  return { runtime, identity, token }
}

/** A house whose one tool is that of every contender, as a governed read, kept in memory. */
export function openReadHouse(): Promise<House> {
  const stores = memoryStores()
  return openHouse(createRuntime({ packs: [readPack], stores }), stores)
}

const readPack: Pack = definePack({
  name: 'shop',
  tools: [
    defineTool({
      id: READ_TOOL,
      title: 'Add to cart',
      category: 'integration',
      description: TOOL_DESCRIPTION,
      input: cartInput,
      output: cartOutput,
      contract: { effect: 'read', permissions: { roles: ['user'], capabilities: ['cart.read'] } },
      execute: ({ input }) => addToCart(input),
    }),
  ],
})
