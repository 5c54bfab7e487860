import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './server-program.ts'

export type ServerProcess = {
  /** `INT`: in good order. `QUIT`: at once, as if the power had gone; the next start recovers. Returns when the server is gone. */
  readonly end: (signal: 'INT' | 'QUIT') => Promise<void>
}

export type ServerOptions = {
  readonly program: Program
  readonly home: string
  readonly port: number
  /** What becomes of the folder when whoever started the server is killed. */
  readonly orphaned: 'remove' | 'keep'
}

// Durability is what is tested, so fsync stays on. The rest: no sockets in /tmp, no work for replicas that nobody has.
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

// The shell outlives us: when we are killed its input ends, and with it the server and its folder.
const GUARD = `
home=$1; orphaned=$2; shift 2
"$@" </dev/null & server=$!
signal=QUIT
if read -r word; then signal=$word; orphaned=keep; fi
kill -$signal $server
wait $server
if [ "$orphaned" = remove ]; then rm -rf "$home"; fi
`

/** Starts the server under a guard. It may not take connections yet. */
export function startServer({ program, home, port, orphaned }: ServerOptions): ServerProcess {
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
    // in a group of its own: Ctrl-C in the terminal is for the tests, and they end the server
    detached: true,
    stdio: ['pipe', log, log],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  })
  const ended = new Promise<void>((resolve) =>
    guard.once('close', () => resolve()).once('error', () => resolve()),
  )
  // a guard that is gone already has an input that is closed
  guard.stdin?.on('error', () => undefined)
  // a run that forgets to stop it still ends, and the guard sees that
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

// erased: the pipe to a child is a socket, which its type does not tell
function unref(stream: unknown): void {
  ;(stream as { readonly unref?: () => void }).unref?.()
}
