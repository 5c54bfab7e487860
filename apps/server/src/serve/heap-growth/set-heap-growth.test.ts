import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('./set-heap-growth.ts', import.meta.url).href

// V8 writes into compiled code with which flags it was made.
const PROGRAM = `
  import vm from 'node:vm'
  import { setHeapGrowth } from ${JSON.stringify(MODULE)}
  const script = new vm.Script('1 + 1')
  const made = script.createCachedData()
  const isSame = () => script.createCachedData().equals(made)
  process.on('exit', () => console.log(JSON.stringify(isSame())))
  setHeapGrowth(PERCENT)
  setHeapGrowth(PERCENT)
  console.log(JSON.stringify(isSame()))`

function flagsAreDefault(percent: number): unknown {
  const program = PROGRAM.replaceAll('PERCENT', String(percent))
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  const [running, atExit] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { running, atExit }
}

test('the growth is set while the server runs, and no longer when its compiled code is written', () => {
  expect(flagsAreDefault(100)).toEqual({ running: false, atExit: true })
})

test('0 leaves it to V8', () => {
  expect(flagsAreDefault(0)).toEqual({ running: true, atExit: true })
})
