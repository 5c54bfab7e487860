import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { FaultForm } from '@surehand/testing'
import type { MadeItem } from '../emulators/vendor-routes.ts'

const MAIN = new URL('../emulators/main.ts', import.meta.url)

export type VendorProcess = {
  readonly url: string
  /** Every item the vendor has made, read from its own log. */
  readonly made: () => readonly MadeItem[]
  /** Makes the next request for this path fail in the given way. */
  readonly fail: (path: string, fault: FaultForm) => Promise<void>
  readonly stop: () => void
}

export async function startVendor(logFile: string): Promise<VendorProcess> {
  const child = fork(MAIN, [logFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  })
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    made: () => readMade(logFile),
    fail: (path, fault) =>
      control(port, 'POST', JSON.stringify({ fault, times: 1, target: { method: 'POST', path } })),
    stop: () => void child.kill('SIGKILL'),
  }
}

function readMade(logFile: string): readonly MadeItem[] {
  const lines = readFileSync(logFile, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly effect: MadeItem }).effect)
}

function control(port: number, method: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/__control', method }, (response) => {
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
