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
  createIdentityApi,
  type Identity,
  type IdentityApi,
} from '../../../../libraries/identity/src/index.ts'
import {
  addToCart,
  type CartInput,
  cartInput,
  cartOutput,
  TOOL_DESCRIPTION,
} from '../../core/tool.ts'
import { LIMITED_TOOL, READ_TOOL } from '../protocols.ts'

const HOME = 'acme'
const administrator: Caller = {
  tenant: HOME,
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}

/** A runtime with one user, and that user's access token. */
export type ShopApp = {
  readonly runtime: Runtime
  readonly identity: Identity
  readonly token: string
}

export async function openShopApp(runtime: Runtime, stores: Stores): Promise<ShopApp> {
  const clock = systemClock()
  const identity = createIdentity({ store: stores.admin, clock, home: HOME })
  const identityApi = createIdentityApi({
    administration: runtime.administration,
    directory: identity.directory,
    clock,
    home: HOME,
  })
  return { runtime, identity, token: await createUser(identityApi) }
}

/** The token of a new user. */
export async function createUser({ principals, tokens }: IdentityApi): Promise<string> {
  const rights = { roles: ['user'], capabilities: ['cart.read', 'cart.write'] }
  await principals.put(administrator, 'amelie', rights)
  return (await tokens.create(administrator, { name: 'bench', principal: 'amelie' })).token
}

/** The tool of every contender as a governed read, on memory stores. */
export function openReadApp(): Promise<ShopApp> {
  const stores = memoryStores()
  return openShopApp(createRuntime({ packs: [readPack], stores }), stores)
}

const readTool = {
  id: READ_TOOL,
  title: 'Add to cart',
  category: 'integration',
  description: TOOL_DESCRIPTION,
  input: cartInput,
  output: cartOutput,
  contract: { effect: 'read', permissions: { roles: ['user'], capabilities: ['cart.read'] } },
  execute: ({ input }: { readonly input: CartInput }) => addToCart(input),
} as const

export const readPack: Pack = definePack({ name: 'shop', tools: [defineTool(readTool)] })

/** The same with a rate limit that no load reaches. */
export const limitedPack: Pack = definePack({
  name: 'shop',
  tools: [
    defineTool({
      ...readTool,
      id: LIMITED_TOOL,
      contract: { ...readTool.contract, limits: [{ calls: 100_000_000, per: '1m' }] },
    }),
  ],
})
