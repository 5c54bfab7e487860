import { describe, expect, test } from 'vitest'
import { fromNetworkFailure, fromProviderStatus } from './tool-error.ts'

describe('a provider that answers', () => {
  test.each([
    [400, 'TOOL_INVALID_FIELD_VALUE'],
    [404, 'TOOL_RESOURCE_NOT_FOUND'],
    [410, 'TOOL_RESOURCE_NOT_FOUND'],
    [422, 'TOOL_INVALID_FIELD_VALUE'],
  ])('%d has refused for good: %s', (status, code) => {
    expect(fromProviderStatus(status, 'No.')).toMatchObject({ code, effect: 'refused' })
  })

  test.each([
    [401, 'TOOL_API_KEY_INVALID'],
    [403, 'TOOL_RESOURCE_ACCESS_DENIED'],
    [429, 'TOOL_RATE_LIMIT_EXCEEDED'],
  ])('%d has done nothing, and not through the fault of the call: %s', (status, code) => {
    expect(fromProviderStatus(status, 'No.')).toMatchObject({ code, effect: 'none' })
  })

  test.each([408, 409, 425, 500, 502, 503, 504, 599])('%d may have done it', (status) => {
    expect(fromProviderStatus(status, 'Hm.')).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('leaves its status and what it said in the details', () => {
    const error = fromProviderStatus(429, 'Slow down.', { retry_after_ms: 500 })
    expect(error.message).toBe('Slow down.')
    expect(error.details).toEqual({ retry_after_ms: 500, provider_status: 429 })
  })
})

const withCode = (code: string) => Object.assign(new Error(code), { code })
/** As fetch throws it. */
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause })

describe('a network that fails', () => {
  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('with %s has sent nothing', (code) => {
    expect(fromNetworkFailure(fetchFailed(withCode(code)), 'Stripe')).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'none',
    })
  })

  // the certificate is looked at before the request is written
  test.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_NOT_YET_VALID',
  ])('with %s did not trust the other side, and has sent nothing', (code) => {
    expect(fromNetworkFailure(fetchFailed(withCode(code)), 'Stripe').effect).toBe('none')
  })

  test.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ])('with %s may have sent it', (code) => {
    expect(fromNetworkFailure(fetchFailed(withCode(code)), 'Stripe').effect).toBe('possible')
  })

  test.each([new Error('hm'), 'hm', null, undefined, { code: 7 }])(
    'in a way nobody knows may have sent it',
    (thrown) => {
      expect(fromNetworkFailure(thrown, 'Stripe')).toMatchObject({
        effect: 'possible',
        message: 'Stripe could not be reached.',
      })
    },
  )

  test('names the provider and the reason, and keeps the cause', () => {
    const cause = fetchFailed(fetchFailed(withCode('ECONNREFUSED')))
    const error = fromNetworkFailure(cause, 'Stripe')
    expect(error.message).toBe('Stripe could not be reached (ECONNREFUSED).')
    expect(error.cause).toBe(cause)
  })
})
