import { discoverTools, toolDescriptors } from '@surehand/documents'
import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Runtime,
  type Tool,
} from '../../../core/src/index.ts'
import { miniSearchIndex } from '../../../libraries/discovery/src/text-index.ts'
import { type Start, subject } from '../harness/contender.ts'
import { cartInput, cartOutput } from './tool.ts'

const TOOLS = 10_000
const SERVICES = [
  'calendar',
  'mail',
  'shop',
  'travel',
  'bank',
  'files',
  'crm',
  'chat',
  'maps',
  'music',
  'photos',
  'tickets',
  'payroll',
  'wiki',
  'forms',
  'build',
  'deploy',
  'alerts',
  'metrics',
  'billing',
]
const VERBS = [
  'create',
  'list',
  'update',
  'delete',
  'search',
  'archive',
  'share',
  'export',
  'import',
  'approve',
  'cancel',
  'schedule',
  'send',
  'read',
  'merge',
  'split',
  'lock',
  'restore',
  'copy',
  'tag',
]
const NOUNS = [
  'event',
  'message',
  'order',
  'trip',
  'invoice',
  'folder',
  'contact',
  'channel',
  'route',
  'playlist',
  'album',
  'ticket',
  'payslip',
  'page',
  'form',
  'pipeline',
  'release',
  'alarm',
  'dashboard',
  'refund',
  'coupon',
  'seat',
  'room',
  'budget',
  'report',
]
const QUERIES = [
  'book a room for a trip',
  'refund an invoice',
  'list unread messages',
  'share photos album',
  'deploy.restoreRelease',
  'schedule payslip export',
  'who approved the budget report',
  'cancel seat',
]

const admin: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
  session: 's',
}

/** Registers ten thousand tools, created before, in a new runtime. */
export const registerTools: Start = async () => {
  const packs = [definePack({ name: 'many', tools: manyTools() })]
  return subject({
    payload: () => undefined,
    call: async () =>
      createRuntime({ packs, stores: memoryStores(), textIndex: miniSearchIndex() }),
    output: (runtime: Runtime) => ({ tools: runtime.tools().length }),
  })
}

/** The tool list of a tenant when neither tools nor policy have changed. */
export const listTools: Start = async () => {
  const toolsOf = toolDescriptors(manyToolsRuntime())
  return subject({
    payload: () => undefined,
    call: async () => toolsOf('acme'),
    output: (tools: readonly unknown[]) => ({ tools: tools.length }),
  })
}

export const searchTools: Start = async () => {
  const runtime = manyToolsRuntime()
  const discovery = discoverTools(runtime, admin)
  return subject({
    payload: () => undefined,
    call: async (_nothing: undefined, serial) =>
      discovery.searchTools(QUERIES[Math.abs(serial) % QUERIES.length] ?? ''),
    output: (found: readonly unknown[]) => ({ tools: found.length > 0 ? TOOLS : 0 }),
  })
}

export const expectedTools = { tools: TOOLS }

function manyToolsRuntime(): Runtime {
  return createRuntime({
    packs: [definePack({ name: 'many', tools: manyTools() })],
    stores: memoryStores(),
    textIndex: miniSearchIndex(),
  })
}

export function manyTools(): readonly Tool[] {
  const names = SERVICES.flatMap((service) =>
    VERBS.flatMap((verb) => NOUNS.map((noun) => ({ service, verb, noun }))),
  )
  return names.slice(0, TOOLS).map(({ service, verb, noun }) =>
    defineTool({
      id: `${service}.${verb}${noun[0]?.toUpperCase()}${noun.slice(1)}`,
      title: `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${noun}`,
      category: 'integration',
      description: `${verb[0]?.toUpperCase()}${verb.slice(1)}s one ${noun} in ${service}. Use it when the person has named the ${noun}; ask first if several match.`,
      input: cartInput,
      output: cartOutput,
      contract: { effect: 'read', permissions: { roles: ['user'] } },
      execute: async () => ({
        cartId: 'c',
        lineId: 'l',
        quantity: 1,
        totalCents: 1,
        currency: 'EUR' as const,
      }),
    }),
  )
}
