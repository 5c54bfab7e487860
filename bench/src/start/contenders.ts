import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** A bundle of its own: one that is lying about may be an old one. */
export const BUNDLE_FOLDER = join(ROOT, '.bench/surehand')
const BUNDLED = join(BUNDLE_FOLDER, 'bin/surehand.cjs')
const SOURCES = join(ROOT, 'apps/server/src/surehand.ts')

export type Contender = {
  readonly name: string
  /** From the start of its process until it has done its work, or is ready for more. */
  readonly timeMs: (data: string) => Promise<number>
}

export const contenders: readonly Contender[] = [
  { name: 'node, doing nothing', timeMs: async () => timeRun(['-e', '0'], '', '') },
  {
    name: 'surehand --help',
    timeMs: async (data) => timeRun([BUNDLED, '--help'], data, 'Usage: surehand'),
  },
  {
    name: 'surehand call, local tool',
    timeMs: async (data) =>
      timeRun([BUNDLED, 'call', 'shop.price', '--productId', 'tea'], data, '1299'),
  },
  {
    name: 'surehand --help, from sources',
    timeMs: async (data) => timeRun([SOURCES, '--help'], data, 'Usage: surehand'),
  },
  {
    name: 'surehand call, from sources',
    timeMs: async (data) =>
      timeRun([SOURCES, 'call', 'shop.price', '--productId', 'tea'], data, '1299'),
  },
  { name: 'surehand serve, until ready', timeMs: (data) => timeServer(data) },
]

function environment(data: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: data,
    SUREHAND_DATA: data,
    SUREHAND_DEMO: 'yes',
    SUREHAND_LOG_LEVEL: 'silent',
    SUREHAND_PORT: '0',
  }
}

/** What it printed is looked at: a command that failed quickly must not win. */
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

function timeServer(data: string): Promise<number> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [BUNDLED, 'serve'], {
    env: environment(data),
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
