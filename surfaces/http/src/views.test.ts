import { definePack, defineTool } from '@surehand/core'
import type { PackView } from '@surehand/core/host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

// The server of these tests has the tools of the pack "demo"; here it has views as well.
const lettersOf = (show: PackView['load'], more: Partial<PackView> = {}): PackView => ({
  name: 'letters',
  title: 'Letters',
  summary: 'What was written.',
  tools: ['demo.echo'],
  fields: { text: 'Text' },
  load: show,
  ...more,
})

const READ = { effect: 'read' } as const
const WRITE = { effect: 'writes.mail', reversible: true, idempotency: 'caller' } as const

const tool = (id: string, contract: typeof READ | typeof WRITE) =>
  defineTool({
    id,
    title: id,
    category: 'custom',
    description: 'A tool of a pack with views.',
    input: z.object({ text: z.string().optional() }),
    output: z.object({ text: z.string().optional() }),
    contract,
    examples: [{ name: 'one', input: {} }],
    execute: async ({ input }) => input,
  })

const pack = definePack({
  name: 'demo',
  tools: [tool('demo.echo', READ), tool('mail.letter', WRITE), tool('demo.wait', READ)],
  views: [
    lettersOf(async () => ({
      show: async ({ fields, call, questions }) => [
        { kind: 'values', title: 'Echo', value: await call('demo.echo', { text: fields.text }) },
        { kind: 'text', text: `${(await questions()).length} questions, ${Object.keys(fields)}` },
      ],
    })),
    lettersOf(
      async () => ({ show: async ({ call }) => [(await call('mail.letter', {})) as never] }),
      {
        name: 'writes',
        tools: ['demo.echo', 'mail.letter'],
      },
    ),
    lettersOf(
      async () => ({ show: async ({ call }) => [(await call('demo.wait', {})) as never] }),
      {
        name: 'undeclared',
      },
    ),
    lettersOf(async () => ({ show: async () => [] }), { name: 'private', tools: ['mail.letter'] }),
  ],
})

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ packs: [pack] })
})
afterAll(() => server.close())

const read = async (path: string, token = server.tokens.ann) => {
  const answer = await server.get(`/v1/views${path}`, token)
  return { status: answer.status, body: (await answer.json()) as { data: never } }
}

test('a view is shown with its given fields; what it does not declare is left out', async () => {
  const { status, body } = await read('/demo/letters?text=hello&other=x')
  expect([status, body.data]).toEqual([
    200,
    expect.objectContaining({
      title: 'Letters',
      refresh: null,
      fields: [{ name: 'text', label: 'Text', value: 'hello' }],
      blocks: [
        { kind: 'values', title: 'Echo', value: { text: 'hello', principal: 'home/ann' } },
        { kind: 'text', text: '0 questions, text' },
      ],
    }),
  ])
})

test('views are listed for those who may use all their tools, and missing for others', async () => {
  const names = async (token: string) =>
    ((await read('?limit=200', token)).body.data as { items: { name: string }[] }).items.map(
      ({ name }) => name,
    )
  expect(await names(server.tokens.ann)).toEqual(['letters', 'writes', 'undeclared', 'private'])
  // bob has no capability for letters
  expect(await names(server.tokens.bob)).toEqual(['letters', 'undeclared'])
  expect((await read('/demo/private', server.tokens.bob)).status).toBe(404)
  expect((await read('/demo/nothing')).status).toBe(404)
  expect((await fetch(`${server.url}/v1/views`)).status).toBe(401)
})

test.each(['writes', 'undeclared'])(
  'a view that %s is an error, and calls nothing',
  async (name) => {
    const before = server.sent.length
    const { status, body } = await read(`/demo/${name}`)
    expect([status, server.sent.length]).toEqual([500, before])
    expect(JSON.stringify(body)).not.toContain('may not call')
  },
)

test.each([
  ['a name of its own', { name: 'No Name' }],
  ['which is no tool of the pack', { tools: ['other.tool'] }],
])('definePack refuses a view: %s', (message, more) => {
  const view = lettersOf(async () => ({ show: async () => [] }), more)
  expect(() => definePack({ ...pack, grants: {}, views: [view] } as never)).toThrow(message)
})
