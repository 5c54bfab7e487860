import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { type Clock, sleep, systemClock } from './clock.ts'

const fires = (clock: Clock, delayMs: number) =>
  new Promise<number>((resolve) => clock.after(delayMs, () => resolve(Date.now())))

describe("the machine's clock", () => {
  test('runs a timer in time although the wall clock was set to when another one seems due', async () => {
    const clock = systemClock()
    const dueMs = Math.ceil((Date.now() + 3_600_000) / 8) * 8
    const cancel = clock.after(dueMs - Date.now(), () => undefined)
    const set = vi.spyOn(Date, 'now').mockReturnValue(dueMs - 4)
    await new Promise<void>((resolve) => clock.after(1, resolve))
    set.mockRestore()
    cancel()
  })

  test('tells the time and counts upwards', () => {
    const clock = systemClock()
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000)
    const [first, second] = [clock.ticks(), clock.ticks()]
    expect(second).toBeGreaterThanOrEqual(first)
  })

  test.each([0, 1, 10, 50])('runs what is due in %d ms, and not before', async (delayMs) => {
    const startedAt = Date.now()
    const firedAt = await fires(systemClock(), delayMs)
    // Node's timers may be a millisecond early by the wall clock
    expect(firedAt - startedAt).toBeGreaterThanOrEqual(delayMs - 1)
  })

  test('runs all that share a moment, each once', async () => {
    const clock = systemClock()
    const runs: number[] = []
    await Promise.all(
      Array.from(
        { length: 100 },
        (_, index) =>
          new Promise<void>((resolve) => {
            clock.after(10, () => {
              runs.push(index)
              resolve()
            })
          }),
      ),
    )
    await pause(30)
    expect(runs.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    )
  })

  test('runs nothing that a neighbour cancels, and all others', async () => {
    const clock = systemClock()
    const runs: string[] = []
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const cancels: (() => void)[] = []
    const after = (name: string, also: () => void = () => undefined) =>
      cancels.push(
        clock.after(20, () => {
          runs.push(name)
          also()
        }),
      )
    // Before it is due, a cancelled one leaves its place to the last.
    after('first')
    after('second', () => cancels[3]?.())
    after('third')
    after('cancelled by the second')
    after('last', resolve)
    cancels[0]?.()
    cancels[0]?.()
    await isOver
    await pause(20)
    expect(runs.toSorted()).toEqual(['last', 'second', 'third'])
  })

  test('runs nothing that was cancelled, though its neighbours run', async () => {
    const clock = systemClock()
    const runs: string[] = []
    const cancel = clock.after(10, () => runs.push('cancelled'))
    clock.after(10, () => runs.push('kept'))
    cancel()
    cancel()
    await pause(60)
    expect(runs).toEqual(['kept'])
  })

  test('runs what is set after all others of its moment were cancelled', async () => {
    const clock = systemClock()
    clock.after(20, () => undefined)()
    expect(await fires(clock, 20)).toBeGreaterThan(0)
  })

  test('lets a timer be set from within a timer', async () => {
    const clock = systemClock()
    const order: string[] = []
    await new Promise<void>((resolve) => {
      clock.after(1, () => {
        order.push('first')
        clock.after(0, () => {
          order.push('second')
          resolve()
        })
      })
    })
    expect(order).toEqual(['first', 'second'])
  })

  test('does not run at once what is due in more than 24.8 days', async () => {
    let ran = false
    const cancel = systemClock().after(30 * 86_400_000, () => {
      ran = true
    })
    await pause(60)
    cancel()
    expect(ran).toBe(false)
  })
})

describe('a process', () => {
  /** How long a process lives that runs this text with a clock. */
  async function lifeOf(text: string): Promise<number> {
    const source = `import { systemClock } from ${JSON.stringify(new URL('./clock.ts', import.meta.url).href)}; const clock = systemClock(); const startedAt = Date.now(); process.on('exit', () => console.log(Date.now() - startedAt)); ${text}`
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of child.stdout) output += chunk
    return Number(output)
  }

  test('ends though a cancelled timer was due much later', async () => {
    expect(await lifeOf('clock.after(600_000, () => undefined)()')).toBeLessThan(600_000)
  })

  test('lives until what it waits for has run', async () => {
    expect(await lifeOf('clock.after(300, () => undefined)')).toBeGreaterThanOrEqual(295)
  })
})

describe('sleep', () => {
  test('wakes after its time', async () => {
    await expect(sleep(systemClock(), 5)).resolves.toBeUndefined()
  })

  test('ends early, as cancelled and with the reason kept, when the signal says so', async () => {
    const stop = new AbortController()
    const slept = sleep(systemClock(), 60_000, stop.signal)
    const cause = new Error('enough')
    stop.abort(cause)
    await expect(slept).rejects.toMatchObject({ code: 'TOOL_CANCELLED', cause })
  })

  test('does not begin when the signal has said so already', async () => {
    await expect(sleep(systemClock(), 60_000, AbortSignal.abort('enough'))).rejects.toMatchObject({
      code: 'TOOL_CANCELLED',
      cause: 'enough',
    })
  })
})
