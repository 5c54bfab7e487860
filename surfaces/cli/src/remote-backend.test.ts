import { discoverTools } from '@surehand/documents'
import { expect, test } from 'vitest'
import { type RunOptions, run } from './fixtures/run.ts'
import { createTestApp } from './fixtures/test-app.ts'

const metadata = {
  version: '2.0.0',
  execution_time: 0,
  call_id: 'req_1',
  outcome: 'done',
  tool_info: { name: 'x', category: 'surface', permissions_used: [] },
  input_validation: { schema_version: '2.0.0', validation_time: 0 },
}

/** A server that answers every request alike. */
function answering(data: unknown, seen: { url: string; body: unknown }[] = []): RunOptions {
  return {
    env: { SUREHAND_URL: 'https://tools.example', SUREHAND_TOKEN: 't' },
    fetch: async (url, { body }) => {
      seen.push({ url, body })
      return Response.json({ status: 'success', command: 'x', data, metadata })
    },
  }
}

function page(items: readonly object[]): object {
  return { items, next_cursor: null }
}

function definition(id: string): object {
  const { runtime, local } = createTestApp()
  return discoverTools(runtime, local.caller).getTool(id) ?? {}
}

test("a server that publishes the contract is believed: effect, approval, secrets and the fields' owners", async () => {
  const surehand = {
    effect: 'writes.payment',
    reversible: false,
    approval: 'admin',
    sensitive: ['recipient'],
    from_caller: { amount: 'principal' },
    wants_key: false,
  }
  const { out } = await run(
    ['show', 'bank.transfer'],
    answering({ ...definition('bank.transfer'), surehand }),
  )
  expect(out).toContain('It changes something (writes.payment). It cannot be undone.')
  expect(out).toContain('at least for some inputs (admin)')
  expect(out).toMatch(/--recipient {2}\(required; secret/)
  expect(out).not.toContain('--amount')
})

test('a server that does not is not taken to say that nothing is secret', async () => {
  const seen: { url: string; body: unknown }[] = []
  const { code, err } = await run(
    ['call', 'bank.transfer', '--amount', '1', '--recipient', 'bob', '--pin', '1234'],
    answering(definition('bank.transfer'), seen),
  )
  expect([code, err]).toEqual([64, expect.stringContaining('pin is secret')])
  expect(seen.map(({ url }) => url)).toEqual(['https://tools.example/v1/tools/bank.transfer'])
  const { out } = await run(['tools'], answering(page([definition('bank.transfer')])))
  expect(out).toMatch(/bank\.transfer +Transfer money +write \(final\) +unknown/)
})

test('an answer in an unknown form is refused, with its problem', async () => {
  const { code, err } = await run(['tools'], answering(page([{ id: 7 }])))
  expect([code, err]).toEqual([69, expect.stringContaining('items.0.id')])
})

test('a list is read page by page, to its end', async () => {
  const urls: string[] = []
  const { out } = await run(['tools', '--json'], {
    env: { SUREHAND_URL: 'https://tools.example' },
    fetch: async (url) => {
      urls.push(url)
      const isLast = url.includes('cursor=second')
      const items = [definition(isLast ? 'mail.letter' : 'bank.transfer')]
      const data = { items, next_cursor: isLast ? null : 'second' }
      return Response.json({ status: 'success', command: 'x', data, metadata })
    },
  })
  expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual([
    'bank.transfer',
    'mail.letter',
  ])
  expect(urls).toEqual([
    'https://tools.example/v1/tools?limit=200',
    'https://tools.example/v1/tools?limit=200&cursor=second',
  ])
})

test('a token goes nowhere but to its server: redirects are not followed', async () => {
  let redirect: unknown
  const fetch: RunOptions['fetch'] = async (_, init) => {
    redirect = init.redirect
    throw new TypeError('unexpected redirect')
  }
  const { code } = await run(['tools'], {
    env: { SUREHAND_URL: 'https://tools.example', SUREHAND_TOKEN: 't' },
    fetch,
  })
  expect([redirect, code]).toEqual(['error', 69])
})

test('a token in plain sight is warned of, but not to this machine', async () => {
  const warned = await run(['tools'], {
    ...answering(page([])),
    env: { SUREHAND_URL: 'http://tools.example', SUREHAND_TOKEN: 't' },
  })
  expect(warned.err).toContain('the token is sent unencrypted')
  const own = await run(['tools'], {
    ...answering(page([])),
    env: { SUREHAND_URL: 'http://127.0.0.1:4114', SUREHAND_TOKEN: 't' },
  })
  expect(own.err).toBe('')
})

test('after a lost connection, the error says what is known and names a command that is safe to repeat', async () => {
  const surehand = {
    effect: 'writes.mail',
    reversible: true,
    approval: 'none',
    sensitive: [],
    from_caller: {},
    wants_key: true,
  }
  const data = { ...definition('mail.letter'), surehand }
  const fetch: RunOptions['fetch'] = async (_, { method }) => {
    if (method === 'POST')
      throw new TypeError('fetch failed', { cause: new Error('socket hang up') })
    return Response.json({ status: 'success', command: 'x', data, metadata })
  }
  const { code, err } = await run(['call', 'mail.letter', '--to', 'bob'], {
    env: { SUREHAND_URL: 'https://tools.example' },
    fetch,
  })
  expect(code).toBe(69)
  const [, key] = /Key: (cli_\w+)/.exec(err) ?? []
  expect(err).toContain('socket hang up')
  expect(err).not.toContain('nothing was lost')
  expect(err).toContain(`surehand call mail.letter --to bob --key ${key}`)
  const unkeyed = await run(['call', 'mail.letter', '--to', 'bob', '--json'], {
    env: { SUREHAND_URL: 'https://tools.example' },
    fetch,
  })
  expect(JSON.parse(unkeyed.out).error.recovery_suggestions[0]).toBe(
    'It is not known whether the call was made.',
  )
})

test('Ctrl-C while a server works: 130, without a claim that nothing happened', async () => {
  const press = new AbortController()
  const fetch: RunOptions['fetch'] = async (_, { method, signal }) => {
    if (method !== 'POST')
      return Response.json({
        status: 'success',
        command: 'x',
        data: definition('mail.letter'),
        metadata,
      })
    const left = new Promise<Response>((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
    press.abort()
    return left
  }
  const { code, err } = await run(['call', 'mail.letter', '--to', 'bob', '--key', 'k1'], {
    env: { SUREHAND_URL: 'https://tools.example' },
    fetch,
    onInterrupt(interrupt) {
      press.signal.addEventListener('abort', interrupt)
      return () => press.signal.removeEventListener('abort', interrupt)
    },
  })
  expect(code).toBe(130)
  expect(err).toContain('It is not known whether the call was made.')
  expect(err).toContain('surehand call mail.letter --to bob --key k1')
  expect(err).not.toContain('before anything happened')
})
