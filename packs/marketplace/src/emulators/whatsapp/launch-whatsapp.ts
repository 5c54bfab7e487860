import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Phone } from './record.ts'
import type { SettingsPatch } from './settings.ts'

export type LaunchOptions = {
  readonly folder: string
  readonly port?: number
  readonly settings?: SettingsPatch
  /** The emulator's bundled program; its sources by default, which take seconds to load. */
  readonly program?: string
}

/** The emulator in a process of its own. */
export type LaunchedWhatsApp = {
  readonly url: string
  readonly port: number
  readonly process: ChildProcess
  readonly stop: () => Promise<void>
  /** Ends it at once, as a crash would. */
  readonly kill: () => Promise<void>
}

/** Starts the emulator as a process that ends with this one. */
export async function launchWhatsApp(options: LaunchOptions): Promise<LaunchedWhatsApp> {
  const { folder, port, settings = {}, program } = options
  const child = spawn(
    process.execPath,
    [
      program ?? fileURLToPath(new URL('./whatsapp-process.ts', import.meta.url)),
      ...['--folder', folder, '--settings', JSON.stringify(settings)],
      ...(port === undefined ? [] : ['--port', String(port)]),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const bound = await readPort(child)
  const end = (signal: 'SIGTERM' | 'SIGKILL') => async (): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    process: child,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  }
}

async function readPort({ stdout }: ChildProcess): Promise<number> {
  if (stdout !== null)
    for await (const line of createInterface({ input: stdout }))
      return (JSON.parse(line) as { readonly port: number }).port
  throw new Error('The emulator of WhatsApp ended before it listened. Its message is above.')
}

/** The controls of an emulator in another process. */
export type WhatsAppControl = {
  /** Returns whether any of them is new. */
  readonly addPhones: (phones: readonly Phone[]) => Promise<boolean>
  readonly configure: (patch: SettingsPatch) => Promise<void>
  /** A person writes a message. */
  readonly write: (phone: string, text: string) => Promise<void>
}

export function whatsAppControl(url: string): WhatsAppControl {
  const post = async (path: string, body: unknown): Promise<Response> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`The emulator of WhatsApp answered ${response.status} to ${path}.`)
    return response
  }
  return {
    async addPhones(phones) {
      const { added } = (await (await post('/phones', phones)).json()) as { readonly added: number }
      return added > 0
    },
    async configure(patch) {
      await post('/phones/settings', patch)
    },
    async write(phone, text) {
      await post(`/phones/${phone}/actions`, { type: 'text', text })
    },
  }
}
