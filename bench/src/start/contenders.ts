import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../harness/run-suite.ts'

export type Contender = {
  readonly id: string
  /** From the start of its process until it has done its work, or is ready for requests. */
  readonly timeMs: (data: string) => Promise<number>
}

const SOURCES = join(ROOT, 'apps/server/src/surehand.ts')
const HELP = { args: ['--help'], expected: 'Usage: surehand' }
const CALL = { args: ['call', 'shop.price', '--productId', 'tea'], expected: '1299' }

/** `bundled` is the program that starts a fresh bundle: one built earlier may be out of date. */
export function contendersFor(bundled: string): readonly Contender[] {
  return [
    { id: 'node, doing nothing', timeMs: async () => timeRun(['-e', '0'], '', '') },
    {
      id: 'surehand --help',
      timeMs: async (data) => timeRun([bundled, ...HELP.args], data, HELP.expected),
    },
    {
      id: 'surehand call, local tool',
      timeMs: async (data) => timeRun([bundled, ...CALL.args], data, CALL.expected),
    },
    {
      id: 'surehand --help, from sources',
      timeMs: async (data) => timeRun([SOURCES, ...HELP.args], data, HELP.expected),
    },
    {
      id: 'surehand call, from sources',
      timeMs: async (data) => timeRun([SOURCES, ...CALL.args], data, CALL.expected),
    },
    { id: 'surehand serve, until ready', timeMs: (data) => timeServer(bundled, data, 'no') },
    {
      id: 'surehand serve --demo, until ready',
      timeMs: (data) => timeServer(bundled, data, 'yes'),
    },
  ]
}

function environment(data: string, demo: 'yes' | 'no' = 'yes'): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: data,
    SUREHAND_DATA: data,
    SUREHAND_DEMO: demo,
    SUREHAND_LOG_LEVEL: 'silent',
    SUREHAND_PORT: '0',
  }
}

/** The output is checked: a command that fails quickly must not count as fast. */
function timeRun(args: readonly string[], data: string, expected: string): number {
  const startedMs = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: environment(data),
    encoding: 'utf8',
  })
  const tookMs = performance.now() - startedMs
  if (status !== 0 || !stdout.includes(expected))
    throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return tookMs
}

/** With the demo, the packs' emulators are started and their example data is checked. */
function timeServer(bundled: string, data: string, demo: 'yes' | 'no'): Promise<number> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [bundled, 'serve'], {
    env: environment(data, demo),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', async (chunk: string) => {
      printed += chunk
      const url = /page +(http:\S+)/.exec(printed)?.[1]
      if (url === undefined) return
      child.stdout.removeAllListeners('data').resume()
      child.removeAllListeners('exit')
      const ready = await fetch(`${url}readyz`)
      const tookMs = performance.now() - startedMs
      child.once('exit', () =>
        ready.status === 200
          ? resolve(tookMs)
          : reject(new Error(`/readyz answered ${ready.status}`)),
      )
      child.kill('SIGTERM')
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
}
