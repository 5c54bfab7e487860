import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPrograms } from '../commands/programs.ts'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-propose-'))
let serving: RunningServer
const tokens = { agent: '', other: '', root: '' }

beforeAll(async () => {
  const config = await readConfig({
    env: { SUREHAND_BUILT_IN: 'personal' },
    folder,
    overrides: { demo: true, port: 0, logLevel: 'silent', data: join(folder, 'data') },
  })
  serving = await serve(config, createLog(config), {})
  const { principals, tokens: issuer } = serving.app.identityApi
  const by = systemCaller(config.home)
  await principals.put(by, 'mia', { roles: ['user'], capabilities: ['programs.propose'] })
  await principals.put(by, 'leo', { roles: ['user'] })
  await principals.put(by, 'root', { roles: ['admin', 'user'] })
  const issue = async (principal: string, actor: 'user' | 'ai_agent') =>
    (await issuer.create(by, { principal, name: principal, actor })).token
  tokens.agent = await issue('mia', 'ai_agent')
  tokens.other = await issue('leo', 'ai_agent')
  tokens.root = await issue('root', 'user')
})
afterAll(async () => {
  await serving.stop()
  rmSync(folder, { recursive: true })
})

const PROGRAM = {
  id: 'made.price',
  title: 'Price',
  description: 'Looks up a price.',
  version: '1.0.0',
  category: 'custom',
  input: { type: 'object', properties: { productId: { type: 'string' } }, required: ['productId'] },
  output: {},
  contract: { effect: 'read' },
  steps: [{ id: 'look', tool: 'shop.price', input: { productId: { $ref: 'input.productId' } } }],
  answer: { $ref: 'steps.look' },
}
const TOOL = 'registry__propose_program'

async function connect(token: string): Promise<Client> {
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL(`${serving.addresses.publicUrl}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

/** The answer as a model reads it. */
function readAnswer({ content }: { readonly content?: unknown }): unknown {
  const [first] = content as readonly { readonly text: string }[]
  return JSON.parse(first?.text ?? '')
}

async function send(path: string, body?: object): Promise<{ readonly data: never }> {
  const response = await fetch(`${serving.addresses.publicUrl}${path}`, {
    headers: { authorization: `Bearer ${tokens.root}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await response.json()) as { readonly data: never }
}

async function runCommand(...args: readonly string[]): Promise<string> {
  let written = ''
  const stream = {
    write(text: string) {
      written += text
      return true
    },
  }
  // Of a terminal, the command uses the two streams.
  const terminal = { stdout: stream, stderr: stream } as never
  await runPrograms(args, terminal, { data: join(folder, 'data'), principal: 'root' } as never)
  return written
}

test('an agent proposes a program over MCP, and calls it when a person has accepted it', async () => {
  const client = await connect(tokens.agent)
  expect(await namesOf(client)).toContain(TOOL)
  const proposed = await client.callTool({
    name: TOOL,
    arguments: { program: PROGRAM, examples: [{ name: 'tea', input: { productId: 'tea' } }] },
  })
  expect(readAnswer(proposed)).toMatchObject({
    id: 'made.price',
    state: 'proposed',
    calls: ['shop.price'],
    next: 'made.price can be called when an administrator has accepted it.',
  })
  // Quarantined: not listed, and refused to the one who proposed it.
  expect(await namesOf(client)).not.toContain('made__price')
  const call = () => client.callTool({ name: 'made__price', arguments: { productId: 'tea' } })
  expect(await call().catch((thrown: Error) => ({ isError: true, thrown }))).toMatchObject({
    isError: true,
  })
  const { data: view } = await send('/v1/programs/made.price')
  expect(view).toMatchObject({ proposed_by: 'mia', actor: 'ai_agent', state: 'proposed' })
  const { digest } = view as { readonly digest: string }
  await send('/v1/programs/made.price/accept', { digest })
  expect(readAnswer(await call())).toMatchObject({ currency: 'EUR' })
  await client.close()
  // A client remembers its list for a while.
  const later = await connect(tokens.agent)
  expect(await namesOf(later)).toContain('made__price')
  await later.close()
})

test('a program with flaws is refused with all of them, and may be corrected', async () => {
  const client = await connect(tokens.agent)
  const step = { id: 'look', tool: 'no.such', input: {} }
  const wrong = { ...PROGRAM, id: 'made.wrong', steps: [step], answer: { $ref: 'steps.none' } }
  const refused = await client.callTool({ name: TOOL, arguments: { program: wrong } })
  expect(refused.isError).toBe(true)
  expect(JSON.stringify(refused.content)).toMatch(/no\.such[\s\S]*steps\.none/)
  const corrected = await client.callTool({
    name: TOOL,
    arguments: { program: { ...PROGRAM, id: 'made.wrong' } },
  })
  expect(readAnswer(corrected)).toMatchObject({ id: 'made.wrong', state: 'proposed' })
  await client.close()
})

test('agents without the capability neither see the tool nor may call it', async () => {
  const client = await connect(tokens.other)
  expect(await namesOf(client)).not.toContain(TOOL)
  const call = client.callTool({ name: TOOL, arguments: { program: PROGRAM } })
  expect(await call.catch(() => ({ isError: true }))).toMatchObject({ isError: true })
  await client.close()
})

test('on the command line programs are proposed, shown, accepted by their digest and removed', async () => {
  const file = join(folder, 'program.json')
  writeFileSync(file, JSON.stringify({ program: { ...PROGRAM, id: 'made.shell' } }))
  expect(await runCommand('propose', file)).toContain('made.shell')
  const shown = await runCommand('show', 'made.shell')
  expect(shown).toMatch(/proposed[\s\S]*calls shop\.price \(read\), same/)
  const [, digest = ''] = /digest (\w{64})/.exec(shown) ?? []
  await expect(runCommand('accept', 'made.shell', '--digest', '0'.repeat(64))).rejects.toThrow(
    'has changed since you looked',
  )
  expect(await runCommand('accept', 'made.shell', '--digest', digest)).toContain('accepted')
  expect(await runCommand('remove', 'made.shell')).toBe('made.shell was removed.\n')
  expect(await runCommand('list')).not.toContain('made.shell')
  writeFileSync(file, 'no JSON')
  await expect(runCommand('propose', file)).rejects.toThrow('could not be read as JSON')
})
