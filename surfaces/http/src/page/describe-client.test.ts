import { expect, test } from 'vitest'
import { describeClient } from './describe-client.ts'

const MOZILLA = 'Mozilla/5.0'

test.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox on Linux'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
  ],
  [
    `${MOZILLA} (Linux; Android 16) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  ['curl/8.14.1', 'curl'],
  ['<img src=x onerror=alert(1)>\u202e', 'Another client'],
  [undefined, 'Another client'],
])('%s is a client of a known kind', (userAgent, kind) => {
  expect(describeClient(userAgent)).toBe(kind)
})
