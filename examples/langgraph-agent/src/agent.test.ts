import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { converse } from './converse.ts'
import { openModel } from './open-model.ts'
import { scriptedPerson } from './person.ts'
import { caller, openShop } from './shop.ts'

const MAIN = new URL('main.ts', import.meta.url).pathname

test('without a terminal the program edits, approves and ends by itself, and orders only what was approved', async () => {
  const { OPENAI_API_KEY: _, ...environment } = process.env
  const running = promisify(execFile)(process.execPath, [MAIN], { env: environment })
  running.child.stdin?.end()
  const { stdout } = await running
  expect(stdout).toContain('The agent wants: Order 24 roses for 69.6 EUR?')
  expect(stdout).toContain('The agent wants: Order 12 roses for 34.8 EUR?')
  expect(stdout).toContain(
    'Agent (gpt-5-mini, emulated: a script answers): The shop says: {"order":"12 roses"}',
  )
  expect(stdout).toMatch(/Ordered: 12 roses\n$/)
})

test.each([
  ['an approval orders what was asked', ['approve'], ['24 roses'], '{"order":"24 roses"}'],
  ['a no orders nothing, and the agent says so', ['reject'], [], 'TOOL_APPROVAL_DENIED'],
  [
    'an edit alone orders nothing: without a further decision it is rejected',
    ['edit={"stems": 3}'],
    [],
    'TOOL_APPROVAL_DENIED',
  ],
  ['an edit that the shop does not take orders nothing', ['edit={"stems": 0}'], [], 'TOOL_'],
] as const)(
  '%s',
  async (_, words, ordered, said) => {
    const { runtime, orders } = openShop()
    const { model, close } = await openModel({})
    const say = () => undefined
    const answer = await converse('Roses, please.', {
      runtime,
      caller,
      model,
      person: scriptedPerson(words, say),
      say,
    })
    await close()
    expect(orders).toEqual(ordered)
    expect(answer).toContain(`The shop says: ${said}`)
  },
  60_000,
)
