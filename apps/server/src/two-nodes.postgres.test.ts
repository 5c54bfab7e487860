import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type NodeProcess, startNode } from './fixtures/node-process.ts'
import { startVendor, type Vendor } from './fixtures/vendor.ts'
import { makeKeys } from './keys.ts'

type Answer = {
  readonly status: string
  readonly data: unknown
  readonly metadata: { readonly call_id: string; readonly source: string }
}

let url: string
let vendor: Vendor
let ann: string
let env: Readonly<Record<string, string>>
const nodes: NodeProcess[] = []

beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  vendor = await startVendor()
  const data = mkdtempSync(join(tmpdir(), 'surehand-nodes-'))
  makeKeys(join(data, 'keys.json'))
  env = {
    SUREHAND_DATABASE_URL: url,
    SUREHAND_DATA: data,
    TEST_VENDOR: vendor.url,
  }
  // one after the other: they share the data folder, which the first fills
  for (const _ of ['a', 'b']) nodes.push(await startNode(env))
  ann = (JSON.parse(readFileSync(join(data, 'demo-tokens.json'), 'utf8')) as { ann: string }).ann
})

afterAll(async () => {
  await Promise.allSettled(nodes.map((node) => node.kill('SIGTERM')))
  await vendor.close()
  await dropDatabase(url)
})

function node(index: 0 | 1): NodeProcess {
  const found = nodes[index]
  if (found === undefined) throw new Error('That node is not up.')
  return found
}

function make(at: NodeProcess, key: string): Promise<Response> {
  return at.call('/v1/tools/vendor.make/call', ann, {
    method: 'POST',
    body: '{}',
    headers: { 'idempotency-key': key },
  })
}

/** The command in a process of its own, at a node. */
function surehand(at: NodeProcess, args: readonly string[]): Promise<{ readonly stdout: string }> {
  const program = join(import.meta.dirname, 'surehand.ts')
  const place = {
    SUREHAND_URL: `http://127.0.0.1:${at.port}`,
    SUREHAND_TOKEN: ann,
    HOME: tmpdir(),
    PATH: process.env.PATH ?? '',
  }
  return promisify(execFile)(process.execPath, [program, ...args], { env: place })
}

describe('two nodes on one PostgreSQL', () => {
  test("a call's answer is fetched from the other node, and replayed there", async () => {
    const first = (await (await make(node(0), 'made-at-a')).json()) as Answer
    expect(first).toMatchObject({ status: 'success', data: { receipt: 'receipt-1' } })
    const fetched = (await (
      await node(1).call(`/v1/calls/${first.metadata.call_id}`, ann)
    ).json()) as Answer
    expect(fetched.data).toEqual(first.data)
    const again = (await (await make(node(1), 'made-at-a')).json()) as Answer
    expect(again).toMatchObject({ data: first.data, metadata: { source: 'replayed' } })
    expect(vendor.asked).toHaveLength(1)
  })

  test('a node killed in the middle of a call loses nothing and doubles nothing', async () => {
    vendor.hold()
    const arrived = vendor.nextAsked()
    const running = make(node(0), 'cut-in-the-middle').catch(() => undefined)
    await arrived
    await node(0).kill('SIGKILL')
    expect(await running).toBeUndefined()
    vendor.release()
    await expect
      .poll(async () => (await make(node(1), 'cut-in-the-middle')).json())
      .toMatchObject({ status: 'success', data: { receipt: 'receipt-2' } })
    expect(vendor.made).toHaveLength(2)
    nodes[0] = await startNode(env)
    const reported = (await (await make(node(0), 'cut-in-the-middle')).json()) as Answer
    expect(reported).toMatchObject({
      data: { receipt: 'receipt-2' },
      metadata: { source: 'replayed' },
    })
    expect(vendor.made).toHaveLength(2)
  })

  test('what was asked at one is finished by the other, after both were told to stop and the answer came from the command line', async () => {
    const before = vendor.made.length
    const asked = await node(0).call('/v1/tools/vendor.plan/call', ann, {
      method: 'POST',
      body: '{}',
      headers: { 'idempotency-key': 'planned' },
    })
    const { metadata } = (await asked.json()) as {
      metadata: { call_id: string; asking: { question_id: string } }
    }
    expect(vendor.made).toHaveLength(before + 1)
    // Both end by themselves; the first one is gone for good when the answer comes.
    expect(await Promise.all(nodes.map((one) => one.kill('SIGTERM')))).toEqual([0, 0])
    nodes[1] = await startNode(env)
    const { stdout } = await surehand(node(1), [
      'questions',
      'answer',
      metadata.asking.question_id,
      '--colour',
      'green',
      '--json',
    ])
    expect(stdout).toContain('green')
    await expect
      .poll(
        async () =>
          (await (await node(1).call(`/v1/calls/${metadata.call_id}`, ann)).json()) as Answer,
      )
      .toMatchObject({
        status: 'success',
        data: { colour: 'green', receipts: [expect.any(String), expect.any(String)] },
      })
    expect(vendor.made).toHaveLength(before + 2)
  })
})
