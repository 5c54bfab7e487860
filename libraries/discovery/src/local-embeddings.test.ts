import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { decodeVector, encodeVector, LOCAL_MODEL, localEmbeddings } from './local-embeddings.ts'

const { signal } = new AbortController()

test('texts of similar meaning have similar vectors, also as signed bytes', async () => {
  const texts = ['How do I get my money back?', 'Returns and refunds', 'A small olive tree']
  const answer = await localEmbeddings().embed({ texts }, signal)
  expect(answer?.model).toBe(LOCAL_MODEL)
  const [asked, near, far] = (answer?.vectors ?? []).map((one) => decodeVector(encodeVector(one)))
  if (asked === undefined || near === undefined || far === undefined) expect.fail('no vectors')
  expect(cosine(asked, near)).toBeGreaterThan(cosine(asked, far))
})

test('where the model is not installed, the thread says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-embeddings-'))
  const file = join(folder, 'embedding-thread.ts')
  copyFileSync(new URL('./embedding-thread.ts', import.meta.url), file)
  const thread = new Worker(file)
  onTestFinished(async () => {
    await thread.terminate()
    rmSync(folder, { recursive: true, force: true })
  })
  thread.postMessage({ number: 1, texts: ['a text'] })
  const [reply] = await once(thread, 'message')
  expect(reply).toEqual({ number: 1, vectors: null })
})

function cosine(left: Int8Array, right: Int8Array): number {
  const sum = left.reduce((total, value, at) => total + value * (right[at] ?? 0), 0)
  return sum / (Math.hypot(...left) * Math.hypot(...right))
}
