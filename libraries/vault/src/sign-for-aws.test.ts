import { fakeClock } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { ann, callBy, keyOf, rejectionOf, requestTo, setCredential } from './testing/vault-world.ts'
import { createVault } from './vault.ts'

const HOST = 'https://example.amazonaws.com'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const SESSION_TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='
const SIGNATURE = { scheme: 'hmac', scopes: [], type: 'awsSignature' } as const

function openVault() {
  const clock = fakeClock(Date.UTC(2015, 7, 30, 12, 36))
  return createVault({
    store: memoryStores({ clock }).admin,
    keys: [keyOf('a')],
    clock,
    entropy: systemEntropy(),
    http: async () => Promise.reject(new Error('No token endpoint may be called.')),
  })
}

async function sign(method: string, path: string, more: object = {}) {
  const vault = openVault()
  await setCredential(vault, 'shop.hmac', {
    kind: 'aws',
    origins: [HOST],
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: SECRET_KEY,
    region: 'us-east-1',
    service: 'service',
    ...more,
  })
  const request = { ...requestTo(`${HOST}${path}`, [SIGNATURE]), method }
  const { signal } = new AbortController()
  return vault.applySecurity(request, callBy(ann), { signal })
}

// The names and signatures are those of AWS's published test suite for Signature Version 4.
test.each([
  ['get-vanilla', 'GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-empty-query-key',
    'GET',
    '/?Param1=value1',
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
  [
    'get-vanilla-utf8-query',
    'GET',
    '/?%E1%88%B4=bar',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  [
    'get-unreserved',
    'GET',
    '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  ['post-vanilla', 'POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-vanilla-query',
    'POST',
    '/?Param1=value1',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
])('%s is signed as in the test suite of AWS', async (_name, method, path, signature) => {
  const { request, credentialHeaders } = await sign(method, path)
  expect(request.headers).toEqual({
    accept: 'application/json',
    'x-amz-date': '20150830T123600Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  })
  expect(credentialHeaders.toSorted()).toEqual(['authorization', 'x-amz-date'])
})

test('post-sts-header-before: the session token is sent and signed', async () => {
  const { request, scrubber } = await sign('POST', '/', { sessionToken: SESSION_TOKEN })
  expect(request.headers['x-amz-security-token']).toBe(SESSION_TOKEN)
  expect(request.headers.authorization).toContain(
    'SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  )
  expect(scrubber.text(`a ${SECRET_KEY} b ${SESSION_TOKEN} c`)).not.toMatch(/wJalr|AQoDY/)
})

test('without a credential nothing is sent, and the command that sets one is named', async () => {
  const { signal } = new AbortController()
  const request = requestTo(`${HOST}/`, [SIGNATURE])
  const error = await rejectionOf(openVault().applySecurity(request, callBy(ann), { signal }))
  expect(error.suggestions).toEqual([
    `Run: surehand credentials set shop.hmac --kind aws --origin ${HOST} --region REGION`,
  ])
})
