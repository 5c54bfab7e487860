import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Progress } from '../call/request.ts'
import { definePack } from '../define/pack.ts'
import { sensitive } from '../define/sensitive.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 's',
}
const about = {
  title: 'Sign in',
  category: 'custom',
  description: 'Signs in somewhere.',
  output: z.string(),
} as const
const input = z.object({
  user: z.string(),
  password: sensitive(z.string()),
  pin: sensitive(z.number()),
})
const given = { user: 'ann', password: 'correct horse', pin: 0.25 }
const write = { effect: 'writes.session', reversible: true, idempotency: 'caller' } as const

// Tools that quote their input in the progress they report.
function talk(
  report: (progress: Progress) => void,
  reported: { readonly user: string; readonly password: string },
): string {
  report({
    fraction: 0.25,
    message: `${reported.user} with ${reported.password}`,
    partial: { tried: [reported.password], pin: 0.25 },
  })
  report({ message: 'done' })
  return 'in'
}

const inWords = [
  {
    fraction: 0.25,
    message: 'ann with [hidden]',
    partial: { tried: ['[hidden]'], pin: '[hidden]' },
  },
  { message: 'done' },
]

const tools: Readonly<Record<string, Tool>> = {
  read: defineTool({
    ...about,
    id: 'a.read',
    input,
    contract: { effect: 'read' },
    execute: async (run) => talk(run.report, run.input),
  }),
  write: defineTool({
    ...about,
    id: 'a.write',
    input,
    contract: write,
    execute: async (run) => talk(run.report, run.input),
  }),
  run: defineTool({
    ...about,
    id: 'a.run',
    kind: 'composite',
    input,
    contract: write,
    execute: async (run) => talk(run.report, run.input),
  }),
}

function open(): Runtime {
  const clock = fakeClock()
  return createRuntime({
    packs: [definePack({ name: 'p', tools: Object.values(tools) })],
    stores: memoryStores({ clock }),
    clock,
  })
}

describe('the progress that a tool reports', () => {
  test.each(['read', 'write', 'run'])('holds no secret of its input: %s', async (kind) => {
    const reported: Progress[] = []
    const onProgress = (progress: Progress) => void reported.push(progress)
    const outcome = await open().call({
      tool: `a.${kind}`,
      input: given,
      caller: ann,
      surface: 'test',
      idempotencyKey: 'k',
      onProgress,
    })
    expect(outcome).toMatchObject({ status: 'done', data: 'in' })
    expect(reported).toEqual(inWords)
  })

  // The progress that the caller receives from a tool with these two secrets in its input.
  async function readReported(
    progress: (password: string) => Progress,
    password: string,
    token = 'none',
  ): Promise<readonly Progress[]> {
    const chatty = defineTool({
      ...about,
      id: 'a.chatty',
      input: z.object({ token: sensitive(z.string()), password: sensitive(z.string()) }),
      contract: { effect: 'read' },
      execute: async (run) => {
        run.report(progress(run.input.password))
        return 'in'
      },
    })
    const clock = fakeClock()
    const runtime = createRuntime({
      packs: [definePack({ name: 'p', tools: [chatty] })],
      stores: memoryStores({ clock }),
      clock,
    })
    const reported: Progress[] = []
    const onProgress = (one: Progress) => void reported.push(one)
    const outcome = await runtime.call({
      tool: chatty,
      input: { token, password },
      caller: ann,
      surface: 'test',
      onProgress,
    })
    expect(outcome).toMatchObject({ status: 'done', data: 'in' })
    return reported
  }

  test('holds no remainder of a secret that begins with another', async () => {
    expect(
      await readReported((password) => ({ message: password }), 'correct horse', 'correct'),
    ).toEqual([{ message: '[hidden]' }])
  })

  test.each([
    ['JSON', (password: string) => JSON.stringify({ password }), '{"password":"[hidden]"}'],
    ['an address', (password: string) => `/in?p=${encodeURIComponent(password)}`, '/in?p=[hidden]'],
    [
      'a form',
      (password: string) => new URLSearchParams({ password }).toString(),
      'password=[hidden]',
    ],
  ])('holds no secret as it is spelled in %s', async (_where, message, shown) => {
    expect(await readReported((password) => ({ message: message(password) }), 'a "b" & c')).toEqual(
      [{ message: shown }],
    )
  })

  test('is dropped if it cannot be searched, and the tool goes on', async () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(await readReported(() => ({ partial: circle }), 'correct horse')).toEqual([])
    expect(await readReported(() => ({ message: 5 as never }), 'correct horse')).toEqual([])
  })

  test('is stored without the secrets for readers on other nodes', async () => {
    const quoting = defineTool({
      ...about,
      id: 'a.quoting',
      kind: 'composite',
      input,
      contract: write,
      execute: async ({ input: { password }, report, ask }) => {
        report({ message: `with ${password}` })
        return ask(z.string(), 'Go on?')
      },
    })
    const clock = fakeClock()
    const runtime = createRuntime({
      packs: [definePack({ name: 'p', tools: [quoting] })],
      stores: memoryStores({ clock }),
      clock,
    })
    const { facts } = await runtime.call({
      tool: quoting,
      input: given,
      caller: ann,
      surface: 'test',
      idempotencyKey: 'k',
    })
    expect(await runtime.progress(ann, facts.callId)).toMatchObject({
      progress: { message: 'with [hidden]' },
    })
  })
})
