import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join, relative } from 'node:path'
import type { RunCommand } from './with-app.ts'

// Files that an app consists of. The server's own data must not restart it.
const CODE = /\.(?:[cm]?[jt]sx?|json)$|^\.env$/
const NOT_OURS = /^(?:node_modules$|\.)/
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
  const files = watchCode(process.cwd(), server.restart)
  return new Promise((resolve) => {
    const stop = (): void => {
      files.close()
      void server.stop().then(() => resolve(0))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

/**
 * Reports changed code in a folder and those below it. Folder by folder: Node's own recursive
 * watching would begin with every file of node_modules.
 */
export function watchCode(
  root: string,
  onChange: (file: string) => void,
): { readonly close: () => void } {
  const watchers = new Map<string, FSWatcher>()
  const add = (folder: string): void => {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => {
      if (name === null) return
      const path = join(folder, name)
      if (isFolder(path) && !NOT_OURS.test(name)) add(path)
      else if (CODE.test(name)) onChange(relative(root, path))
    })
    // A folder that was removed ends its watcher; made again, it is watched again.
    watcher.on('error', () => watcher.close()).on('close', () => watchers.delete(folder))
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !NOT_OURS.test(entry.name)) add(join(folder, entry.name))
  }
  add(root)
  return {
    close() {
      for (const watcher of [...watchers.values()]) watcher.close()
    },
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
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
