import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './server-program.ts'

export type ServerProcess = {
  /**
   * `INT`: shuts down in order. `QUIT`: at once, like a power failure; the next start recovers.
   * Resolves when the server has exited.
   */
  readonly end: (signal: 'INT' | 'QUIT') => Promise<void>
}

export type ServerOptions = {
  readonly program: Program
  readonly home: string
  readonly port: number
  /** What happens to the folder when the process that started the server is killed. */
  readonly orphaned: 'remove' | 'keep'
  /** Added to the server's environment. */
  readonly env: Readonly<Record<string, string>>
}

// Durability is tested, so fsync stays on. Apart from that: no sockets in /tmp, and no work for
// replicas.
const SETTINGS = {
  fsync: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '30min',
  jit: 'off',
  timezone: 'UTC',
}

// The shell outlives this process: when this process is killed, the shell's input ends, and it
// stops the server and removes the folder.
const GUARD = `
home=$1; orphaned=$2; shift 2
"$@" </dev/null & server=$!
signal=QUIT
if read -r word; then signal=$word; orphaned=keep; fi
kill -$signal $server
wait $server
if [ "$orphaned" = remove ]; then rm -rf "$home"; fi
`

/** Starts the server under a guarding shell. It may not accept connections yet. */
export function startServer({ program, home, port, orphaned, env }: ServerOptions): ServerProcess {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = [
    join(program.folder, 'bin', 'postgres'),
    '-D',
    join(home, 'data'),
    '-p',
    String(port),
    ...settings,
  ]
  const log = openSync(join(home, 'server.log'), 'a')
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', home, orphaned, ...postgres], {
    ...program.account,
    cwd: home,
    // In a process group of its own: Ctrl-C in the terminal is for the tests, and they stop the
    // server.
    detached: true,
    stdio: ['pipe', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
  })
  const ended = new Promise<void>((resolve) =>
    guard.once('close', () => resolve()).once('error', () => resolve()),
  )
  // The input of a guard that has exited is closed.
  guard.stdin?.on('error', () => undefined)
  // A run that forgets to stop the server can still end, which the guard notices.
  guard.unref()
  unref(guard.stdin)
  return {
    end(signal) {
      guard.ref()
      guard.stdin?.end(`${signal}\n`)
      return ended
    },
  }
}

// erased: the pipe to a child is a socket, which its type does not say
function unref(stream: unknown): void {
  ;(stream as { readonly unref?: () => void }).unref?.()
}
