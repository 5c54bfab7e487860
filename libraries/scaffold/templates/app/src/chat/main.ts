import { openai } from '@ai-sdk/openai'
import { type Caller, createRuntime } from '@surehand/core'
import { openSqlite } from '@surehand/sql'
import { localParcels } from '../parcels/local-parcels.ts'
import { parcelsPack } from '../parcels/pack.ts'
import { HOST } from './chat-route.ts'
import { startChat } from './start-chat.ts'

if (process.env.OPENAI_API_KEY === undefined)
  throw new Error('Set OPENAI_API_KEY, or use another provider of the AI SDK in src/chat/main.ts.')

const runtime = createRuntime({
  packs: [parcelsPack],
  providers: { parcels: localParcels() },
  // What was done, and what waits for a person, survives a crash.
  stores: await openSqlite({ file: 'chat.db', packs: [parcelsPack] }),
  // The chat may relay approvals of what can be undone.
  policyOf: () => ({ version: 1, trustedHosts: [HOST] }),
})
// One person, until your app has sessions.
const caller: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
}
const { url } = await startChat(
  { runtime, model: openai('gpt-5-mini'), caller },
  Number(process.env.PORT ?? 3000),
)
console.log(`The chat route is ${url}`)
