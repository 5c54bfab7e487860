import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('./set-heap-growth.ts', import.meta.url).href

function outputOf(program: string): unknown[] {
  const whole = `
    import v8 from 'node:v8'
    import vm from 'node:vm'
    import { setHeapGrowth } from ${JSON.stringify(MODULE)}
    const script = new vm.Script('1 + 1')
    // V8 writes into compiled code with which flags it was made.
    const flags = () => script.createCachedData().toString('base64')
    const atFirst = flags()
    ${program}`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', whole], {
    encoding: 'utf8',
  })
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function flagsAreDefault(percent: number): unknown {
  const [running, atExit] = outputOf(`
    process.on('exit', () => console.log(flags() === atFirst))
    setHeapGrowth(${percent})
    setHeapGrowth(${percent})
    console.log(flags() === atFirst)`)
  return { running, atExit }
}

test('the growth is set while the server runs, and no longer when its compiled code is written', () => {
  expect(flagsAreDefault(100)).toEqual({ running: false, atExit: true })
})

test('0 leaves it to V8', () => {
  expect(flagsAreDefault(0)).toEqual({ running: true, atExit: true })
})

test.each([
  { seconds: 7.9, atRest: 'switched off' },
  { seconds: 8, atRest: 'left to V8, which may have begun' },
])('in a process of $seconds s, collection at rest is $atRest', ({ seconds }) => {
  const isGrowthAlone = outputOf(`
    v8.setFlagsFromString('--heap-growing-percent=100')
    const growthAlone = flags()
    v8.setFlagsFromString('--heap-growing-percent=0')
    process.uptime = () => ${seconds}
    setHeapGrowth(100)
    console.log(flags() === growthAlone)`)
  expect(isGrowthAlone).toEqual([seconds === 8])
})
