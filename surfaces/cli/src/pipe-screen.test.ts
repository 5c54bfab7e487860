import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

const TERMINAL = new URL('./terminal.ts', import.meta.url).href
const LONG = 3_000_000

/** A program whose standard output is a pipe, and how it ended. */
async function piped(
  code: string,
  read: (chunk: string) => void = () => undefined,
): Promise<{ readonly out: string; readonly code: number | null }> {
  const source = `import { processTerminal } from ${JSON.stringify(TERMINAL)}\nconst { stdout } = processTerminal()\n${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
    read(chunk)
  })
  return new Promise((resolve) => child.once('close', (ended) => resolve({ out, code: ended })))
}

test('what is longer than a pipe arrives whole, and in order', async () => {
  const { out, code } = await piped(`stdout.write('é'.repeat(${LONG})); stdout.write('end'); process.exit()`)
  expect({ length: out.length, tail: out.slice(-4), code }).toEqual({ length: LONG + 3, tail: 'éend', code: 0 })
})

test('a pipe that does not wait is waited for', async () => {
  // whoever touches process.stdout makes the descriptor one that says EAGAIN when it is full
  const { out } = await piped(`void process.stdout.writable; stdout.write('x'.repeat(${LONG})); process.exit()`)
  expect(out.length).toBe(LONG)
})

test('a reader who leaves ends it with an error, not with silence', async () => {
  const source = `stdout.once('error', (error) => process.exit(error.code === 'EPIPE' ? 7 : 8)); setInterval(() => stdout.write('x'.repeat(100_000)), 1)`
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { processTerminal } from ${JSON.stringify(TERMINAL)}\nconst { stdout } = processTerminal()\n${source}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(7)
})
