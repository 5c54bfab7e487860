import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ShopSettings } from './shop.ts'

export type LaunchOptions = {
  readonly folder: string
  readonly port?: number
  readonly returnOrigins?: readonly string[]
}

/** The shop in a process of its own. */
export type LaunchedShop = {
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  /** Puts a script on every page from now on. */
  readonly embed: (script: NonNullable<ShopSettings['embed']>) => void
  readonly stop: () => Promise<void>
  /** Ends it at once, as a crash would. */
  readonly kill: () => Promise<void>
}

/** Starts the shop as a process that ends with this one. */
export async function launchShop(options: LaunchOptions): Promise<LaunchedShop> {
  const { folder, port = 0, returnOrigins = [] } = options
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./main.ts', import.meta.url)),
      ...['--control', '--folder', folder, '--port', String(port)],
      ...returnOrigins.flatMap((origin) => ['--return-origin', origin]),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await readAddress(child)
  const end = (signal: 'SIGTERM' | 'SIGKILL') => async (): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    ...address,
    process: child,
    embed: (script) => {
      child.stdin?.write(`${JSON.stringify({ embed: script })}\n`)
    },
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  }
}

type Address = { readonly url: string; readonly port: number }

async function readAddress({ stdout }: ChildProcess): Promise<Address> {
  if (stdout !== null)
    for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as Address
  throw new Error('The demo shop ended before it listened. Its message is above.')
}
