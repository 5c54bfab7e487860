import type { Interrupt } from '@langchain/langgraph'
import {
  createRuntime,
  definePack,
  defineTool,
  IdempotencyKey,
  memoryStores,
  type Runtime,
  sensitive,
} from '@surehand/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApprovalRequest } from './ask-person.ts'
import { agent, ann, HOST, TRUSTING } from './fixtures/shop.ts'
import { edit, talk, yes } from './fixtures/talk.ts'

type Args = Record<string, unknown>

const requestIn = ([asked]: readonly Interrupt[]) => asked?.value as ApprovalRequest
const argsIn = (interrupts: readonly Interrupt[]) =>
  requestIn(interrupts).actionRequests[0].args as Args
const FIRST = '4111111111111111'
const SECOND = '5500000000000004'

function open(): { readonly runtime: Runtime; readonly done: unknown[] } {
  const done: unknown[] = []
  const about = { title: 'T', category: 'custom', description: 'D.', output: z.object({}) } as const
  const contract = {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    retries: 0,
    approval: () => 'Sure?',
  } as const
  const execute = async ({ input }: { readonly input: unknown }) => {
    done.push(input)
    return {}
  }
  const list = [
    defineTool({
      ...about,
      id: 'x.note',
      input: z.object({ to: z.string(), text: z.string(), count: z.int().default(1) }),
      contract,
      execute,
    }),
    defineTool({
      ...about,
      id: 'x.cards',
      input: z.object({
        note: z.string(),
        pin: sensitive(z.string().trim()),
        cards: z.array(z.object({ card: sensitive(z.string()) })),
      }),
      contract,
      execute,
    }),
    defineTool({
      ...about,
      id: 'x.keyed',
      input: z.object({ what: z.string(), idempotencyKey: IdempotencyKey }),
      contract,
      execute,
    }),
  ]
  const runtime = createRuntime({
    packs: [definePack({ name: 'x', tools: list })],
    stores: memoryStores(),
    policyOf: () => TRUSTING,
  })
  return { runtime, done }
}

const NOTE = {
  name: 'x__note',
  args: { to: 'ann', text: 'Happy birthday ❤️ 10\u00a0€' },
  id: 'call_1',
}
const CARDS = {
  name: 'x__cards',
  args: { note: 'tea', pin: ' 1234', cards: [{ card: FIRST }, { card: SECOND }] },
  id: 'call_1',
}

test('a field that an edit leaves as shown keeps the model’s characters, not their spelled-out form', async () => {
  const { runtime, done } = open()
  const { start, resume } = await talk([NOTE], { runtime, caller: agent, host: HOST })
  await resume(edit('x__note', { ...argsIn((await start()).interrupts), to: 'bob' }))
  await resume(yes)
  expect(done).toEqual([{ to: 'bob', text: NOTE.args.text, count: 1 }])
})

test('an edited text keeps the characters that were spelled out', async () => {
  const { runtime, done } = open()
  const { start, resume } = await talk([NOTE], { runtime, caller: agent, host: HOST })
  const shown = argsIn((await start()).interrupts)
  await resume(edit('x__note', { ...shown, text: `${String(shown.text)}, Bob` }))
  await resume(yes)
  expect(done).toEqual([{ to: 'ann', text: `${NOTE.args.text}, Bob`, count: 1 }])
})

test('a change on the decision page is kept when an edit in the graph leaves that field alone', async () => {
  const { runtime, done } = open()
  const { start, resume } = await talk([NOTE], { runtime, caller: agent, host: HOST })
  await start()
  const [asked] = await runtime.approvals.list('acme')
  await runtime.approvals.edit(ann, asked?.id ?? '', { to: 'cleo', text: 'Hello' })
  const { to, text } = argsIn((await resume(yes)).interrupts)
  await resume(edit('x__note', { to, text: `${String(text)}!` }))
  await resume(yes)
  expect(done).toEqual([{ to: 'cleo', text: 'Hello!', count: 1 }])
})

test('a digest stands for its secret, wherever an edit moves it', async () => {
  const { runtime, done } = open()
  const { start, resume } = await talk([CARDS], { runtime, caller: agent, host: HOST })
  const shown = argsIn((await start()).interrupts) as { readonly cards: readonly unknown[] }
  const second = (await resume(edit('x__cards', { ...shown, cards: shown.cards.slice(1) })))
    .interrupts
  expect(JSON.stringify(second)).not.toContain(SECOND)
  await resume(yes)
  expect(done).toEqual([{ note: 'tea', pin: '1234', cards: [{ card: SECOND }] }])
})

test.each([
  [
    'a secret that is typed anew',
    (shown: Args): Args => ({ ...shown, cards: [{ card: '6011000000000004' }] }),
    'A secret cannot be given',
  ],
  [
    'the model’s own secret, typed',
    (shown: Args): Args => ({ ...shown, cards: [{ card: FIRST }] }),
    'A secret cannot be given',
  ],
  [
    'a digest of nothing the model said',
    (shown: Args): Args => ({ ...shown, cards: [{ card: '…9999 (sha256 000000000000)' }] }),
    'A secret cannot be given',
  ],
  [
    'a digest where no secret belongs',
    (shown: Args): Args => ({
      ...shown,
      note: (shown.cards as readonly { readonly card: string }[])[0]?.card,
    }),
    'moved to a field that is not secret',
  ],
])(
  '%s is refused: the request is shown again, and no checkpoint contains it',
  async (_, change, why) => {
    const { runtime, done } = open()
    const { start, resume } = await talk([CARDS], { runtime, caller: agent, host: HOST })
    const first = (await start()).interrupts
    const again = (await resume(edit('x__cards', change(argsIn(first))))).interrupts
    expect(requestIn(again).surehand).toMatchObject({ id: requestIn(first).surehand.id, edits: [] })
    expect(requestIn(again).actionRequests[0].description).toContain(why)
    expect(JSON.stringify(again)).not.toMatch(/6011000000000004|4111111111111111/)
    await resume(yes)
    expect(done).toEqual([{ ...CARDS.args, pin: '1234' }])
  },
)

test('the key is not shown as a field to edit', async () => {
  const { runtime, done } = open()
  const { start, resume } = await talk(
    [{ name: 'x__keyed', args: { what: 'tea' }, id: 'call_1' }],
    { runtime, caller: agent, host: HOST },
  )
  expect(argsIn((await start()).interrupts)).toEqual({ what: 'tea' })
  const second = (await resume(edit('x__keyed', { what: 'coffee', idempotencyKey: 'mine' })))
    .interrupts
  expect(argsIn(second)).toEqual({ what: 'coffee' })
  await resume(yes)
  expect(done).toEqual([{ what: 'coffee', idempotencyKey: expect.not.stringMatching(/^mine$/) }])
})
