import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { createLog, logTrouble } from './log.ts'
import { createScrubber } from './scrub.ts'

const TOKEN = 'sh_ZGVtbw_01m7f73krk91weva2fnk000001_0ZxQbdBjBwGSQU2R2Ul9x6tKW26MZ7v0NN6yQmsbvAo'
const LINK = 'shl_ZGVtbw_01m7f73kmsweegg62p3m000001_Ulg3HYl3KoM3lXTz7Y4WYABujW_As_nH3_q5iFNEMq4'
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'
const PHONES = [
  '+49 151 1234 5678',
  '+14155552671',
  '0049 30 901820',
  '(415) 555-2671',
  '415-555-2671',
  '030 901820-12',
  '4915112345678',
]

describe('a log line', () => {
  test.each([TOKEN, LINK, JWT, 'sk-proj-abcdefghijklmnop', 'ghp_abcdefghijklmnopqrst'])(
    'has no credential in it: %s',
    (secret) => {
      const clean = createScrubber()(
        `refused ${secret}, sent as {"authorization":"Bearer ${secret}"}`,
      )
      expect(clean).not.toContain(secret)
      expect(clean).toContain('refused [secret]')
    },
  )

  test.each(PHONES)('has no phone number in it: %s', (phone) => {
    const clean = createScrubber()(`no answer from ${phone}, tried twice; {"to":"${phone}"}`)
    expect(clean).toBe('no answer from [phone], tried twice; {"to":"[phone]"}')
  })

  test.each([
    '2026-11-15T09:02:54.779Z',
    'version 2.0.0',
    '127.0.0.1:4114',
    'call_01m7f73z99kycw7g2her000009',
    '12 of 100',
    '1.25 ms',
    '8.971988000001147',
  ])('keeps what is neither: %s', (text) => {
    expect(createScrubber()(text)).toBe(text)
  })

  test('has no password of an address and no value that is known to be secret', () => {
    const clean = createScrubber(['a-long-metrics-token'])(
      'postgres://surehand:hunter22@db/x said a-long-metrics-token',
    )
    expect(clean).toBe('postgres://surehand:[secret]@db/x said [secret]')
  })

  test('is scrubbed in its message, deep in its fields, in their names, and in errors with their causes', async () => {
    const lines: string[] = []
    const env = {
      SUREHAND_METRICS_TOKEN: 'a-long-metrics-token',
      SUREHAND_DATABASE_URL: 'postgres://u:hunter22%21@h/d',
    }
    const config = await readConfig({ env, folder: mkdtempSync(join(tmpdir(), 'surehand-log-')) })
    const log = createLog(config, { write: (line: string) => void lines.push(line) })
    const cause = new Error(`password hunter22! was refused`)
    log.error(
      { err: new Error(`no ${TOKEN}`, { cause }), deep: [{ [TOKEN]: { to: '+4915112345678' } }] },
      `and ${JWT}`,
    )
    log.info('the token is a-long-metrics-token')
    const all = lines.join('')
    for (const secret of [TOKEN, JWT, 'hunter22!', '4915112345678', 'a-long-metrics-token'])
      expect(all).not.toContain(secret)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      message: 'and [secret]',
      err: { message: 'no [secret]', cause: { message: 'password [secret] was refused' } },
    })
  })

  test('about background work has a stack only where this program is at fault', async () => {
    const lines: unknown[] = []
    const config = await readConfig({
      env: {},
      folder: mkdtempSync(join(tmpdir(), 'surehand-log-')),
    })
    const log = createLog(config, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const report = logTrouble(log)
    report(new ToolError('TOOL_NETWORK_ERROR', 'notes could not be reached (ECONNREFUSED).'))
    report(new TypeError('undefined is not a function'))
    expect(lines).toEqual([
      {
        level: 'warn',
        time: expect.any(Number),
        code: 'TOOL_NETWORK_ERROR',
        message: 'background work failed: notes could not be reached (ECONNREFUSED).',
      },
      expect.objectContaining({
        level: 'error',
        err: expect.objectContaining({ stack: expect.stringContaining('log.test') }),
      }),
    ])
  })
})
