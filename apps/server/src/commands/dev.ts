import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { sep } from 'node:path'
import type { RunCommand } from './with-app.ts'

// Files that an app consists of. The server's own data must not restart it.
const CODE = /\.(?:[cm]?[jt]sx?|json)$|(?:^|[/\\])\.env$/
const NOT_OURS = /(?:^|[/\\])(?:node_modules|\.(?!env$)[^/\\]+)[/\\]/
// Editors write a file in several steps.
const SETTLE_MS = 100

/** `surehand dev`: the server, started again whenever a file of the app changes. */
export const runDev: RunCommand = async (args, terminal, at) => {
  const target = [
    ...(at.config === undefined ? [] : ['--config', at.config]),
    ...(at.data === undefined ? [] : ['--data', at.data]),
  ]
  const server = keepRunning({
    start: () =>
      spawn(process.execPath, [process.argv[1] ?? '', 'serve', ...args, ...target], {
        stdio: 'inherit',
      }),
    say: (text) => void terminal.stderr.write(`${text}\n`),
  })
  const files = watch(process.cwd(), { recursive: true }, (_, file) => {
    if (file !== null && isCode(file)) server.restart(file)
  })
  return new Promise((resolve) => {
    const stop = (): void => {
      files.close()
      void server.stop().then(() => resolve(0))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

/** Is it a file whose change restarts the server? */
export function isCode(file: string): boolean {
  return CODE.test(file) && !NOT_OURS.test(`${sep}${file}`)
}

/** A process that is replaced when its files change, and that waits for a change when it fails. */
export function keepRunning({
  start,
  say,
}: {
  readonly start: () => ChildProcess
  readonly say: (text: string) => void
}): { readonly restart: (file: string) => void; readonly stop: () => Promise<void> } {
  let child = launch()
  let timer: NodeJS.Timeout | undefined
  // Restarts and the end happen one after the other: two servers would want the same port.
  let last: Promise<void> = Promise.resolve()

  function launch(): ChildProcess {
    const started = start()
    started.once('exit', (code) => {
      if (code !== 0 && code !== null)
        say(`The server ended with code ${code}. It is started again when a file changes.`)
    })
    return started
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  return {
    restart(file) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        last = last.then(async () => {
          say(`${file} has changed: starting again.`)
          await end()
          child = launch()
        })
      }, SETTLE_MS)
    },
    async stop() {
      clearTimeout(timer)
      await last
      await end()
    },
  }
}
