import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { FaultForm } from '@surehand/testing'
import type { MadeItem } from '../emulators/vendor-routes.ts'
import { compileCache } from './build-programs.ts'

export type VendorProcess = {
  readonly url: string
  /** Every item the vendor has made, read from its own log. */
  readonly made: () => readonly MadeItem[]
  /** Makes the next request for this path fail in the given way. */
  readonly fail: (path: string, fault: FaultForm) => Promise<void>
  /** `in-order`: the vendor ends by itself, and writes its compiled code to the cache. */
  readonly stop: (manner?: 'in-order') => void
}

export async function startVendor(program: string, logFile: string): Promise<VendorProcess> {
  const child = fork(program, [logFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache(program) },
  })
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    made: () => readMade(logFile),
    fail: (path, fault) =>
      control(port, 'POST', JSON.stringify({ fault, times: 1, target: { method: 'POST', path } })),
    stop: (manner) => (manner === 'in-order' ? child.disconnect() : void child.kill('SIGKILL')),
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
