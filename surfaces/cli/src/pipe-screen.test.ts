import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'

const TERMINAL = new URL('./terminal.ts', import.meta.url).href
const LONG = 3_000_000

/** A program whose standard output and error are pipes. */
function program(code: string): ChildProcessByStdio<null, Readable, Readable> {
  const source = `import { processTerminal } from ${JSON.stringify(TERMINAL)}\nconst { stdout, written } = processTerminal()\n${code}`
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** All that it wrote, and how it ended. */
async function read(
  child: ReturnType<typeof program>,
): Promise<{ readonly out: string; readonly code: number | null }> {
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ out, code })))
}

/** How it ended, though its reader left after the first piece. */
function leave(child: ReturnType<typeof program>): Promise<number | null> {
  child.stdout.once('data', () => child.stdout.destroy())
  return new Promise((resolve) => child.once('close', resolve))
}

test('what is longer than a pipe arrives whole, and in order', async () => {
  const child = program(
    `stdout.write('é'.repeat(${LONG})); stdout.write('end'); await written(); process.exit()`,
  )
  const { out, code } = await read(child)
  expect({ length: out.length, tail: out.slice(-4), code }).toEqual({
    length: LONG + 3,
    tail: 'éend',
    code: 0,
  })
})

test('a pipe that does not wait is waited for', async () => {
  // Using process.stdout makes the descriptor non-blocking: it returns EAGAIN when the pipe is
  // full.
  const { out } = await read(
    program(
      `void process.stdout.writable; stdout.write('x'.repeat(${LONG})); await written(); process.exit()`,
    ),
  )
  expect(out.length).toBe(LONG)
})

test('while the pipe is not read, everything else goes on', async () => {
  const child = program(
    `setTimeout(() => process.stderr.write('went on'), 50); stdout.write('x'.repeat(${LONG}))`,
  )
  const said = await new Promise((resolve) =>
    child.stderr.setEncoding('utf8').once('data', resolve),
  )
  expect([said, (await read(child)).out.length]).toEqual(['went on', LONG])
})

test('a reader who leaves is Ctrl-C for what goes on and on', async () => {
  const code = leave(
    program(
      `process.once('SIGINT', () => process.exit(9)); setInterval(() => stdout.write('x'.repeat(100_000)), 1)`,
    ),
  )
  expect(await code).toBe(9)
})

test('a reader who leaves breaks nothing that ends by itself', async () => {
  const code = leave(
    program(
      `stdout.write('x'.repeat(${LONG})); setTimeout(() => { stdout.write('more'); process.exitCode = 5 }, 300)`,
    ),
  )
  expect(await code).toBe(5)
})
