import type { ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import { describe, expect, test } from 'vitest'
import { run } from './fixtures/run.ts'
import { createTestApp } from './fixtures/test-app.ts'

const CODES = Object.keys(ERRORS) as ToolErrorCode[]

describe('the exit code of every row of the error table', () => {
  test.each(CODES)('%s', async (code) => {
    const words = await run(['call', 'demo.fail', '--code', code])
    const json = await run(['call', 'demo.fail', '--code', code, '--json'])
    const reported = JSON.parse(json.out).error.code as ToolErrorCode
    expect(reported).toBe(code)
    expect([words.code, json.code]).toEqual([ERRORS[reported].exit, ERRORS[reported].exit])
    expect(words.err).toContain(code)
    expect(words.out).toBe('')
  })
})

describe('and of what is no row', () => {
  test.each<[string, readonly string[], number]>([
    ['done', ['call', 'demo.steps'], 0],
    ['accepted', ['call', 'mail.bulk', '--to', 'all'], 0],
    [
      'pending: a person must decide',
      ['call', 'bank.transfer', '--amount', '1', '--recipient', 'bob'],
      75,
    ],
    ['no such command', ['cal'], 64],
    ['no such flag', ['tools', '--nope'], 64],
    ['no such tool', ['call', 'no.tool'], 64],
    ['a required field missing, without a terminal', ['call', 'shop.search', '--sort', 'name'], 65],
    ['no such call', ['jobs', 'show', 'call_x'], 65],
    ['help', ['help', 'call'], 0],
    ['nothing at all', [], 0],
  ])('%s', async (_, argv, code) => {
    expect((await run(argv)).code).toBe(code)
  })

  test('Ctrl-C: 130, and what is known is said', async () => {
    const { sent, local } = createTestApp()
    const { code, err } = await run(['call', 'demo.steps', '--pauseMs', '60000'], {
      openLocal: async () => local,
      onInterrupt(press) {
        const timer = setTimeout(press, 50)
        return () => clearTimeout(timer)
      },
    })
    expect(code).toBe(130)
    expect(err).toContain('TOOL_CANCELLED')
    expect(sent).toEqual([])
  })
})
