import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { definePort, type Port, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { bindProviders } from './providers.ts'

interface Notes {
  add(args: { text: string }, signal: AbortSignal): Promise<string>
  list(args: null, signal: AbortSignal): Promise<string[]>
}
const notes = definePort<Notes>('notes', { add: sameKey({ validFor: '1d' }), list: 'read' })

function toolOf(id: string, ports: Record<string, Port> = { store: notes }) {
  const described = {
    id,
    title: 'Note',
    category: 'custom',
    description: 'A note.',
    input: z.object({}),
    output: z.null(),
  } as const
  return defineTool({
    ...described,
    contract: { effect: 'read' },
    ports,
    execute: async () => null,
  })
}
const tool = toolOf('note.add')
const { signal } = new AbortController()

function working(): Notes & { readonly kept: string[] } {
  return {
    kept: [],
    async add({ text }) {
      this.kept.push(text)
      return text
    },
    async list() {
      return this.kept
    },
  }
}

describe('a port without a provider is an error at the start', () => {
  test('that names the one tool that needs it, and what to write', () => {
    expect(() => bindProviders([tool], {}, { clock: fakeClock() })).toThrow(
      expect.objectContaining({
        code: 'TOOL_CONFIGURATION_ERROR',
        message: 'No provider is given for the port "notes", which note.add needs.',
        details: { port: 'notes' },
        suggestions: ["Pass it to createRuntime: createRuntime({ providers: { 'notes': … } })."],
      }),
    )
  })

  test('that names all the tools that need it', () => {
    const bind = () =>
      bindProviders(
        [tool, toolOf('note.list'), toolOf('site.open', {})],
        {},
        { clock: fakeClock() },
      )
    expect(bind).toThrow(
      'No provider is given for the port "notes", which note.add, note.list need.',
    )
  })

  test('that names the missing method', () => {
    const { list: _, ...half } = working()
    expect(() => bindProviders([tool], { notes: half }, { clock: fakeClock() })).toThrow(
      'The provider of "notes" has no method "list".',
    )
  })

  test('when two ports share a name', () => {
    const other = definePort<Pick<Notes, 'list'>>('notes', { list: 'read' })
    const bind = () =>
      bindProviders(
        [tool, toolOf('note.list', { store: other })],
        { notes: working() },
        { clock: fakeClock() },
      )
    expect(bind).toThrow('Two different ports are called "notes".')
  })
})

test('a tool without ports needs no provider', () => {
  expect(
    bindProviders([toolOf('site.open', {})], {}, { clock: fakeClock() }).of(
      toolOf('site.open', {}),
      'acme',
    ),
  ).toEqual({})
})

describe('a tool is given its providers', () => {
  test('under the names it chose, with the methods of the port and no other', () => {
    const ports = bindProviders(
      [tool],
      { notes: { ...working(), secret: () => 'internal' } },
      { clock: fakeClock() },
    ).of(tool, 'acme')
    expect(Object.keys(ports)).toEqual(['store'])
    expect(Object.keys(ports.store ?? {}).toSorted()).toEqual(['add', 'list'])
  })

  test('as the same object each time, frozen', () => {
    const providers = bindProviders([tool], { notes: working() }, { clock: fakeClock() })
    expect(providers.of(tool, 'acme')).toBe(providers.of(tool, 'acme'))
    expect(Object.isFrozen(providers.of(tool, 'acme').store)).toBe(true)
  })

  test('with `this` in its place', async () => {
    const provider = working()
    await bindProviders([tool], { notes: provider }, { clock: fakeClock() }).method(
      'notes',
      'add',
      'acme',
    )({ text: 'x' }, signal)
    expect(provider.kept).toEqual(['x'])
  })
})

test.each([
  ['mail', 'send', 'No provider is bound to the port "mail".'],
  ['notes', 'remove', 'The provider of "notes" has no method "remove".'],
])('the undeclared method %s.%s is refused', (port, method, message) => {
  const providers = bindProviders([tool], { notes: working() }, { clock: fakeClock() })
  expect(() => providers.method(port, method, 'acme')).toThrow(message)
})

describe('a failing provider', () => {
  const outage = new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'Down.')
  function failing(answer: () => Promise<string[]>) {
    const providers = bindProviders(
      [tool],
      { notes: { ...working(), list: answer } },
      { clock: fakeClock() },
    )
    const list = (ended = signal, tenant = 'acme') =>
      providers.method('notes', 'list', tenant)(null, ended)
    return { providers, list }
  }

  test('is called after any number of failures where it only calls tools', async () => {
    const own = definePort<Notes>(
      'own',
      { add: sameKey({ validFor: '1d' }), list: 'read' },
      { callsTools: true },
    )
    const providers = bindProviders(
      [toolOf('own.add', { own })],
      { own: { ...working(), list: () => Promise.reject(outage) } },
      { clock: fakeClock() },
    )
    const list = providers.method('own', 'list', 'acme')
    for (let call = 0; call < 20; call++) await expect(list(null, signal)).rejects.toBe(outage)
  })

  test('is not called after five failures, whichever the method', async () => {
    const { providers, list } = failing(() => Promise.reject(outage))
    for (let call = 0; call < 5; call++) await expect(list()).rejects.toBe(outage)
    await expect(list()).rejects.toMatchObject({ code: 'TOOL_RESOURCE_UNAVAILABLE' })
    await expect(
      providers.method('notes', 'add', 'acme')({ text: 'x' }, signal),
    ).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
    })
  })

  test('of one tenant is still called for another, with a retry budget of its own', async () => {
    const { providers, list } = failing(() => Promise.reject(outage))
    for (let call = 0; call < 5; call++) await expect(list()).rejects.toBe(outage)
    await expect(list()).rejects.toMatchObject({ code: 'TOOL_RESOURCE_UNAVAILABLE' })
    await expect(list(signal, 'other')).rejects.toBe(outage)
    expect(providers.retryBudget(tool, 'acme')).not.toBe(providers.retryBudget(tool, 'other'))
  })

  test('at one host is still called at the others', async () => {
    interface Pages {
      read(args: { url: string }, signal: AbortSignal): Promise<string>
    }
    const pages = definePort<Pages>(
      'pages',
      { read: 'read' },
      { host: ({ url }: { url: string }) => URL.parse(url)?.host },
    )
    const read = async ({ url }: { url: string }) => {
      if (url.includes('down')) throw outage
      return url
    }
    const providers = bindProviders(
      [toolOf('page.read', { pages })],
      { pages: { read } },
      { clock: fakeClock() },
    )
    const readPage = (url: string) => providers.method('pages', 'read', 'acme')({ url }, signal)
    for (let call = 0; call < 5; call++)
      await expect(readPage('https://down.example/a')).rejects.toBe(outage)
    await expect(readPage('https://down.example/b')).rejects.toThrow('pages (down.example) has')
    expect(await readPage('https://up.example/a')).toBe('https://up.example/a')
  })

  test('that throws synchronously counts as failed too', async () => {
    const { list } = failing(() => {
      throw outage
    })
    await expect(list()).rejects.toBe(outage)
  })

  test('is not blamed for an aborted request', async () => {
    const { list } = failing(() => Promise.reject(outage))
    for (let call = 0; call < 9; call++)
      await expect(list(AbortSignal.abort())).rejects.toBe(outage)
  })

  test('is blamed for a timeout only while a request to it is pending', async () => {
    const { providers, list } = failing(() => new Promise(() => undefined))
    const timeout = new ToolError('TOOL_EXECUTION_TIMEOUT', 'Too slow.')
    for (let call = 0; call < 5; call++) providers.timedOut(tool, 'acme', timeout)
    void list()
    for (let call = 0; call < 5; call++) providers.timedOut(tool, 'acme', timeout)
    await expect(list()).rejects.toMatchObject({ code: 'TOOL_RESOURCE_UNAVAILABLE' })
  })
})

test('tools of one provider share a retry budget, and tools without a provider have their own', () => {
  const [one, other] = [toolOf('site.open', {}), toolOf('site.close', {})]
  const providers = bindProviders(
    [tool, toolOf('note.list'), one, other],
    { notes: working() },
    { clock: fakeClock() },
  )
  expect(providers.retryBudget(tool, 'acme')).toBe(
    providers.retryBudget(toolOf('note.list'), 'acme'),
  )
  expect(providers.retryBudget(one, 'acme')).toBe(providers.retryBudget(one, 'acme'))
  expect(providers.retryBudget(one, 'acme')).not.toBe(providers.retryBudget(other, 'acme'))
})
