import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { ToolError } from '../call/tool-error.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

const outage = new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'Down.')
const refusal = new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such thing.')

function brokenBreaker() {
  const clock = fakeClock()
  const breaker = createCircuitBreaker('Stripe', clock)
  for (let failure = 0; failure < 5; failure++) breaker.failed(outage)
  return { clock, breaker }
}

describe('a provider is called', () => {
  test('while it succeeds', () => {
    expect(() => createCircuitBreaker('Stripe', fakeClock()).enter()).not.toThrow()
  })

  test('after four failures in a row', () => {
    const breaker = createCircuitBreaker('Stripe', fakeClock())
    for (let failure = 0; failure < 4; failure++) breaker.failed(outage)
    expect(() => breaker.enter()).not.toThrow()
  })

  test('after many failures with a success between them', () => {
    const breaker = createCircuitBreaker('Stripe', fakeClock())
    for (let failure = 0; failure < 20; failure++) {
      breaker.failed(outage)
      if (failure % 4 === 3) breaker.succeeded()
    }
    expect(() => breaker.enter()).not.toThrow()
  })

  test.each([
    ['a refusal', refusal],
    [
      'a refusal by another code',
      new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'No such file.', { effect: 'refused' }),
    ],
    ['a bug', new TypeError('x is undefined')],
    ['our own rate limit', new ToolError('TOOL_RATE_LIMIT_EXCEEDED', 'Slow down.')],
    ['a cancellation', new ToolError('TOOL_CANCELLED', 'Gone.')],
  ])('after any number of failures that say nothing about its health: %s', (_what, thrown) => {
    const breaker = createCircuitBreaker('Stripe', fakeClock())
    for (let failure = 0; failure < 20; failure++) breaker.failed(thrown)
    expect(() => breaker.enter()).not.toThrow()
  })
})

describe('the circuit opens', () => {
  test.each([
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'TOOL_NETWORK_ERROR',
    'TOOL_RESOURCE_UNAVAILABLE',
    'TOOL_EXECUTION_TIMEOUT',
  ] as const)('after five times %s', (code) => {
    const breaker = createCircuitBreaker('Stripe', fakeClock())
    for (let failure = 0; failure < 5; failure++) breaker.failed(new ToolError(code, 'Down.'))
    expect(() => breaker.enter()).toThrow(/^Stripe has failed 5 times in a row/)
  })

  test('with an error that says nothing was sent, and when to retry', async () => {
    const { clock, breaker } = brokenBreaker()
    await clock.advance(4_000)
    const error = {
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
      details: { provider: 'Stripe', retry_after_ms: 6_000 },
    }
    expect(() => breaker.enter()).toThrow(expect.objectContaining(error))
  })

  test('for ten seconds', async () => {
    const { clock, breaker } = brokenBreaker()
    await clock.advance(9_999)
    expect(() => breaker.enter()).toThrow()
    await clock.advance(1)
    expect(() => breaker.enter()).not.toThrow()
  })
})

describe('after that one call probes', () => {
  async function probing() {
    const { clock, breaker } = brokenBreaker()
    await clock.advance(10_000)
    breaker.enter()
    return { clock, breaker }
  }

  test('and the others are refused meanwhile', async () => {
    const { breaker } = await probing()
    expect(() => breaker.enter()).toThrow()
  })

  test('and its success closes the circuit', async () => {
    const { breaker } = await probing()
    breaker.succeeded()
    for (let call = 0; call < 20; call++) expect(() => breaker.enter()).not.toThrow()
  })

  test('and its failure keeps the circuit open for another ten seconds', async () => {
    const { clock, breaker } = await probing()
    await clock.advance(5_000)
    breaker.failed(outage)
    await clock.advance(9_999)
    expect(() => breaker.enter()).toThrow()
    await clock.advance(1)
    expect(() => breaker.enter()).not.toThrow()
  })

  test('and if it never returns, another call probes after ten seconds', async () => {
    const { clock, breaker } = await probing()
    await clock.advance(10_000)
    expect(() => breaker.enter()).not.toThrow()
  })

  test('and a refusal shows that the provider is reachable again', async () => {
    const { breaker } = await probing()
    breaker.failed(refusal)
    expect(() => breaker.enter()).not.toThrow()
  })
})
