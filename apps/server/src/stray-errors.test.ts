import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { createMetrics } from './serve/metrics.ts'
import { EXIT_UNCAUGHT } from './stray-errors.ts'

const resolve = (name: string): string => JSON.stringify(import.meta.resolve(name))

// A program with tools that leave errors behind, and in the end one of its own.
const PROGRAM = `
import { createRuntime, defineTool } from ${resolve('@surehand/core')}
import { z } from ${resolve('zod')}
import { EXIT_UNCAUGHT, handleStrayErrors } from ${resolve('./stray-errors.ts')}

const never = new Promise(() => undefined)
const tool = (id, execute) => defineTool({
  id, description: 'Misbehaves.', input: z.object({}), output: z.object({}),
  contract: { effect: 'read', timeout: '30s', retries: 0 }, execute,
})
const runtime = createRuntime({
  tools: [
    tool('poison.forget', async () => { void Promise.reject(new Error('forgotten')); return never }),
    tool('poison.timer', async () => { setTimeout(() => { throw new Error('timer') }); return never }),
    tool('poison.fine', async () => ({})),
  ],
  strayErrors: 'trace',
  onUnexpectedError: () => undefined,
})
const strays = []
handleStrayErrors({
  log: { error: () => undefined },
  count: (stray) => strays.push(stray),
  onFatal: () => {
    console.log(JSON.stringify({ outcomes, strays }))
    process.exit(EXIT_UNCAUGHT)
  },
})
const outcomes = []
for (const id of ['poison.forget', 'poison.timer', 'poison.fine']) {
  const outcome = await runtime.as({ principal: 'ann' }).call(id, {})
  outcomes.push(outcome.error?.code ?? outcome.status)
}
void Promise.reject(new Error('of no call'))
setTimeout(() => { throw new Error('of no call') })
setInterval(() => undefined, 1_000)
`

test('errors that tools leave behind fail their own calls; one of the program itself ends it', async () => {
  const { promise, resolve: end } = Promise.withResolvers<unknown>()
  execFile(process.execPath, ['--input-type=module', '-e', PROGRAM], (error, stdout, stderr) =>
    end({ code: error?.code, ...JSON.parse(stdout || JSON.stringify({ stderr })) }),
  )
  expect(await promise).toEqual({
    code: EXIT_UNCAUGHT,
    outcomes: ['TOOL_INTERNAL_ERROR', 'TOOL_INTERNAL_ERROR', 'done'],
    strays: [
      { kind: 'rejection', callId: expect.stringMatching(/^call_/) },
      { kind: 'exception', callId: expect.stringMatching(/^call_/) },
      { kind: 'rejection' },
      { kind: 'exception' },
    ],
  })
})

test('stray errors are counted by kind and source', () => {
  const metrics = createMetrics(() => true)
  metrics.countStrayError({ kind: 'rejection', callId: 'call_1' })
  metrics.countStrayError({ kind: 'exception', callId: undefined })
  const lines = metrics.text().split('\n')
  metrics.close()
  expect(lines.filter((line) => line.startsWith('surehand_stray_errors_total'))).toEqual([
    'surehand_stray_errors_total{kind="rejection",source="call"} 1',
    'surehand_stray_errors_total{kind="exception",source="unknown"} 1',
  ])
})
