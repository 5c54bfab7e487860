import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { routes } from './fixtures/payments.ts'
import {
  type Emulator,
  type EmulatorOptions,
  FAULT_HEADER,
  startEmulator,
} from './start-emulator.ts'

const running: (Emulator | ChildProcess)[] = []

afterEach(async () => {
  for (const one of running.splice(0)) {
    if ('stop' in one) await one.stop()
    else one.kill('SIGKILL')
  }
})

async function start(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ routes, ...options })
  running.push(emulator)
  return emulator
}

function logFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'emulator-')), 'effects.jsonl')
}

function charge(url: string, key: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/charges`, {
    method: 'POST',
    headers: { 'idempotency-key': key, ...headers },
    body: JSON.stringify({ amount: 12 }),
    signal: AbortSignal.timeout(5_000),
  })
}

const effect = { id: 'ch_1', key: 'k1', amount: 12 }

describe('a vendor', () => {
  test('has one effect per key, and reads path parameters', async () => {
    const { url, effects } = await start()
    const [first, again] = [await charge(url, 'k1'), await charge(url, 'k1')]
    expect([first.status, await first.json(), again.status, await again.json()]).toEqual([
      201,
      effect,
      200,
      effect,
    ])
    const found = await fetch(`${url}/v1/charges/ch_1`)
    expect([found.status, found.headers.get('content-type'), await found.json()]).toEqual([
      200,
      'application/json',
      effect,
    ])
    expect(effects()).toEqual([
      { number: 1, at: expect.stringMatching(/^\d{4}-/), request: 'POST /v1/charges', effect },
    ])
  })

  test('answers 404 for other routes, and shows errors of its handler', async () => {
    const { url } = await start({
      routes: [...routes, { method: 'GET', path: '/bug', handle: () => JSON.parse('{') }],
    })
    const statuses = await Promise.all(
      ['/v1/other', '/v1/charges/none', '/v1/charges/%zz', '/bug'].map(
        async (path) => (await fetch(url + path)).status,
      ),
    )
    expect(statuses).toEqual([404, 404, 500, 500])
  })

  test('handles many requests at once and loses none', async () => {
    const { url, effects } = await start({ logFile: logFile() })
    await Promise.all(Array.from({ length: 50 }, (_, index) => charge(url, `k${index % 25}`)))
    expect(new Set(effects().map((one) => (one.effect as { key: string }).key)).size).toBe(25)
    expect(effects().map(({ number }) => number)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    )
  })

  test('streams, takes bytes, and tells of effects that no request caused', async () => {
    const seen: unknown[] = []
    const emulator = await start({
      routes: [
        {
          method: 'POST',
          path: '/stream',
          handle: ({ bytes }) => ({
            stream: (write) => {
              write(`${bytes.length} bytes\n`)
              return () => seen.push('gone')
            },
          }),
        },
      ],
      onEffect: ({ effect }) => seen.push(effect),
    })
    const response = await fetch(`${emulator.url}/stream`, {
      method: 'POST',
      body: new Uint8Array([0xff, 0xfe]),
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('2 bytes\n')
    emulator.append('timer', 'later')
    await reader?.cancel()
    await expect.poll(() => seen).toEqual(['later', 'gone'])
    expect(emulator.effects()).toMatchObject([{ number: 1, request: 'timer', effect: 'later' }])
  })

  test('refuses a body that is too large', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/v1/charges`, {
      method: 'POST',
      body: 'x'.repeat(17 * 1024 * 1024),
    }).catch(() => ({ status: 413 }))
    expect(response.status).toBe(413)
  })
})

describe('the log', () => {
  test('has every effect on disk before the response', async () => {
    const file = logFile()
    const { url } = await start({ logFile: file })
    await charge(url, 'k1')
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ number: 1, effect }])
  })

  test('is read back by the next run, so that a key stays used', async () => {
    const file = logFile()
    const first = await startEmulator({ routes, logFile: file })
    await charge(first.url, 'k1')
    await first.stop()
    const { url, effects } = await start({ logFile: file })
    expect([(await charge(url, 'k1')).status, (await charge(url, 'k2')).status]).toEqual([200, 201])
    expect(effects()).toHaveLength(2)
  })

  test('drops an incomplete last line and continues after the last complete one', async () => {
    const file = logFile()
    const first = await startEmulator({ routes, logFile: file })
    await charge(first.url, 'k1')
    await first.stop()
    appendFileSync(file, '{"number":2,"at":"2026')
    const { url, effects } = await start({ logFile: file })
    expect(effects()).toHaveLength(1)
    await charge(url, 'k2')
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).number),
    ).toEqual([1, 2])
  })
})

describe('a fault', () => {
  test('slow answers late', async () => {
    const { url, fail, effects } = await start()
    fail({ kind: 'slow', delayMs: 80 })
    const started = performance.now()
    expect((await charge(url, 'k1')).status).toBe(201)
    expect(performance.now() - started).toBeGreaterThan(75)
    expect(effects()).toHaveLength(1)
  })

  test('slow has its effect although the client has gone', async () => {
    const { url, fail, effects } = await start()
    fail({ kind: 'slow', delayMs: 300 })
    const leave = new AbortController()
    const impatient = fetch(`${url}/v1/charges`, {
      method: 'POST',
      body: '{"amount":1}',
      signal: leave.signal,
    })
    const requestArrived = async () =>
      (await (await fetch(`${url}/__control`)).json()) as { readonly faults: unknown[] }
    await expect.poll(async () => (await requestArrived()).faults).toEqual([])
    leave.abort()
    await expect(impatient).rejects.toThrow()
    expect(effects()).toEqual([])
    await expect.poll(() => effects().length).toBe(1)
  })

  test('429 has a Retry-After header and no effect', async () => {
    const { url, fail, effects } = await start()
    fail({ kind: '429', retryAfterSeconds: 7 })
    const response = await charge(url, 'k1')
    expect([response.status, response.headers.get('retry-after'), effects()]).toEqual([
      429,
      '7',
      [],
    ])
  })

  test('500 has no effect, or already has it', async () => {
    const { url, fail, effects } = await start()
    fail({ kind: '500' })
    expect([(await charge(url, 'k1')).status, effects().length]).toEqual([500, 0])
    fail({ kind: '500', when: 'after' })
    expect([(await charge(url, 'k1')).status, effects().length]).toEqual([500, 1])
    expect((await charge(url, 'k1')).status).toBe(200)
  })

  test('reset breaks the connection after the effect is on disk, or before there is one', async () => {
    const file = logFile()
    const { url, fail, effects } = await start({ logFile: file })
    fail({ kind: 'reset' })
    await expect(charge(url, 'k1')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ effect })
    fail({ kind: 'reset', when: 'before' })
    await expect(charge(url, 'k2')).rejects.toThrow()
    expect(effects()).toHaveLength(1)
  })

  test('malformed has its effect and answers with invalid JSON', async () => {
    const { url, fail, effects } = await start()
    fail({ kind: 'malformed' })
    const response = await charge(url, 'k1')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      201,
      'application/json',
    ])
    await expect(response.json()).rejects.toThrow(SyntaxError)
    expect(effects()).toHaveLength(1)
  })

  test('hang never answers, and does not prevent the vendor from stopping', async () => {
    const emulator = await startEmulator({ routes })
    emulator.fail({ kind: 'hang', when: 'after' })
    const waiting = charge(emulator.url, 'k1')
    const settled = waiting.then(
      () => 'answered',
      () => 'broken',
    )
    await expect.poll(() => emulator.effects().length).toBe(1)
    expect(
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 100, 'waiting'))]),
    ).toBe('waiting')
    await emulator.stop()
    expect(await settled).toBe('broken')
  })

  test('can be sent in a header of the request', async () => {
    const { url } = await start()
    const failing = await charge(url, 'k1', { [FAULT_HEADER]: '{"kind":"500"}' })
    expect([failing.status, (await charge(url, 'k1')).status]).toEqual([500, 201])
    expect((await charge(url, 'k2', { [FAULT_HEADER]: 'boom' })).status).toBe(400)
  })

  test('applies to a number of requests of its target, in the planned order', async () => {
    const { url, fail } = await start()
    fail({ kind: '500' }, { times: 2, target: { method: 'POST', path: '/v1/charges' } })
    fail({ kind: '429' })
    const statuses = [(await fetch(`${url}/v1/charges/ch_1`)).status]
    for (const key of ['k1', 'k1', 'k1']) statuses.push((await charge(url, key)).status)
    expect(statuses).toEqual([429, 500, 500, 201])
  })
})

describe('the control endpoint', () => {
  test('plans, shows and clears faults', async () => {
    const { url } = await start()
    const control = (method: string, body?: unknown) =>
      fetch(`${url}/__control`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    expect(
      (
        await control('POST', {
          fault: { kind: 'slow', delayMs: 5 },
          times: 3,
          target: { path: '/v1' },
        })
      ).status,
    ).toBe(201)
    expect((await control('POST', { fault: { kind: 'reset' } })).status).toBe(201)
    expect(await (await control('GET')).json()).toEqual({
      faults: [
        { fault: { kind: 'slow', delayMs: 5, when: 'before' }, times: 3, target: { path: '/v1' } },
        { fault: { kind: 'reset', when: 'after' }, times: 1, target: {} },
      ],
      effects: [],
    })
    expect((await control('DELETE')).status).toBe(204)
    expect((await charge(url, 'k1')).status).toBe(201)
    expect(await (await control('GET')).json()).toMatchObject({ faults: [], effects: [{ effect }] })
  })

  test('reports invalid requests', async () => {
    const { url } = await start()
    const answers = await Promise.all(
      [
        '{',
        '5',
        '{}',
        '{"fault":{"kind":"boom"}}',
        '{"fault":{"kind":"slow"}}',
        '{"fault":{"kind":"500"},"times":0}',
        '{"fault":{"kind":"500","when":"later"}}',
      ].map(async (body) => (await fetch(`${url}/__control`, { method: 'POST', body })).status),
    )
    expect(answers).toEqual([400, 400, 400, 400, 400, 400, 400])
  })
})

describe('an emulator in its own process', () => {
  async function launch(
    ...args: readonly string[]
  ): Promise<{ readonly url: string; readonly process: ChildProcess }> {
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'main.ts'),
        join(import.meta.dirname, 'fixtures/payments.ts'),
        ...args,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    running.push(child)
    for await (const line of createInterface({ input: child.stdout })) {
      return {
        url: `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`,
        process: child,
      }
    }
    throw new Error('It ended without saying its port.')
  }

  test('prints its port, applies faults, and keeps its log when it is killed', async () => {
    const file = logFile()
    const first = await launch('--log', file)
    expect((await charge(first.url, 'k1')).status).toBe(201)
    await fetch(`${first.url}/__control`, { method: 'POST', body: '{"fault":{"kind":"reset"}}' })
    await expect(charge(first.url, 'k2')).rejects.toThrow()
    first.process.kill('SIGKILL')
    const second = await launch('--log', file)
    expect([
      (await charge(second.url, 'k1')).status,
      (await charge(second.url, 'k2')).status,
    ]).toEqual([200, 200])
    const ended = new Promise((resolve) => second.process.once('exit', resolve))
    second.process.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
