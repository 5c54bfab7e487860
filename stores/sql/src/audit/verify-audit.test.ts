import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileAnchor, readAnchors, stdoutAnchor } from './anchors.ts'
import { appendRecords } from './append-records.ts'
import {
  createAuditKey,
  publicKeyOf,
  readAuditKey,
  readPublicAuditKey,
  writeAuditKey,
  writePublicAuditKey,
} from './audit-key.ts'
import { exportAudit } from './export-audit.ts'
import { collect } from './fixtures/collect.ts'
import { sampleRecord } from './fixtures/sample-record.ts'
import { openInMemory } from './fixtures/sqlite-database.ts'
import { auditSequencer } from './sequencer.ts'
import { isSigned, type SignedHead, signHead } from './signed-head.ts'
import { verifyAudit, verifyAuditFile } from './verify-audit.ts'
import { verifyStored } from './verify-stored.ts'
import { recordBatch } from './fixtures/record-batch.ts'

const key = createAuditKey()
const publicKeys = [publicKeyOf(key)]
const folder = mkdtempSync(join(tmpdir(), 'audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function createAudit(records: number, batchSize: number) {
  const database = openInMemory()
  const anchors: SignedHead[] = []
  const sequencer = auditSequencer(database, {
    key,
    batchSize,
    anchors: [async (head) => void anchors.push(head)],
    onTrouble: (error) => {
      throw error
    },
  })
  await database.step(
    appendRecords,
    recordBatch(Array.from({ length: records }, (_, number) => sampleRecord(number))),
  )
  await sequencer.pass()
  return { database, anchors }
}

let lines: string[] = []
let anchors: SignedHead[] = []
beforeAll(async () => {
  const made = await createAudit(2_500, 700)
  anchors = made.anchors
  lines = await collect(exportAudit(made.database, 'acme'))
})

const verdictOf = (changed: readonly string[]) => verifyAudit(changed, { publicKeys, anchors })
const flawOf = async (changed: readonly string[]) => {
  const verdict = await verdictOf(changed)
  return verdict.kind === 'broken' ? verdict.flaw : undefined
}
// the lines of records 0 to 699 stand behind the header
const lineOf = (position: number) =>
  lines.findIndex((line) => line.includes(`,"position":${position},`))

describe('an export', () => {
  test('is a header, the records in their order with heads among them, and an end', () => {
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      format: 'surehand-audit-1',
      tenant: 'acme',
      key_ids: [key.id],
      head: { size: 2_500 },
    })
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: { size: 2_500 } })
    const heads = lines.flatMap((line, index) =>
      line.startsWith('{"head"') ? [[index, JSON.parse(line).head.size]] : [],
    )
    expect(heads).toEqual([
      [701, 700],
      [1402, 1400],
      [2103, 2100],
      [2504, 2500],
    ])
    const positions = lines.flatMap((line) =>
      line.startsWith('{"leaf"') ? [JSON.parse(line).record.position] : [],
    )
    expect(positions).toEqual([...Array(2_500).keys()])
  })

  test('is verified without a database', async () => {
    const intact = {
      kind: 'intact',
      tenant: 'acme',
      size: 2_500,
      signedSize: 2_500,
      anchoredSize: 2_500,
      erasures: 0,
    }
    expect(await verdictOf(lines)).toEqual(intact)
    expect(await verifyAudit(lines, { publicKeys, anchors: [] })).toEqual({
      ...intact,
      anchoredSize: 0,
    })
  })

  test('is verified in its file, in pieces that end anywhere', async () => {
    const path = join(folder, 'export')
    writeFileSync(path, `${lines.join('\n')}\n`)
    expect(await verifyAuditFile(path, { publicKeys, anchors })).toMatchObject({
      kind: 'intact',
      size: 2_500,
      anchoredSize: 2_500,
    })
    writeFileSync(path, lines.toSpliced(lineOf(1_234), 1).join('\n'))
    expect(await verifyAuditFile(path, { publicKeys, anchors })).toMatchObject({
      kind: 'broken',
      flaw: { position: 1_234 },
    })
  })

  test('of a tenant without records is verified too', async () => {
    const empty = await collect(exportAudit(openInMemory(), 'nobody'))
    expect(await verdictOf(empty)).toMatchObject({ kind: 'intact', tenant: 'nobody', size: 0 })
  })

  test('that was changed names the first bad record', async () => {
    const at = lineOf(1_234)
    const changeLine = (from: string, to: string) =>
      lines.with(at, (lines[at] ?? '').replace(from, to))
    const id = sampleRecord(1_234).id
    expect(await flawOf(changeLine('"outcome":"done"', '"outcome":"failed"'))).toEqual({
      position: 1_234,
      id,
      what: 'Record 1234 was changed after it was written.',
    })
    expect(await flawOf(changeLine('"principal":"ann"', '"principal":"eve"'))).toMatchObject({
      position: 1_234,
      id,
      what: expect.stringContaining('principal'),
    })
    expect(await flawOf(lines.toSpliced(at, 1))).toMatchObject({
      position: 1_234,
      what: 'Record 1234 is missing: record 1235 stands in its place.',
    })
    expect(await flawOf(lines.toSpliced(at, 0, lines[at] ?? ''))).toMatchObject({
      position: 1_235,
      what: expect.stringContaining('put in or moved'),
    })
  })

  test.each([
    ['another field', (line: string) => line.replace('"salt"', '"note":"x","salt"')],
    [
      'a field twice',
      (line: string) => line.replace('"principal":"ann"', '"principal":"eve","principal":"ann"'),
    ],
    [
      'another field of the record',
      (line: string) => line.replace('"outcome"', '"note":"x","outcome"'),
    ],
    ['a field behind the record', (line: string) => `${line.slice(0, -1)},"note":"x"}`],
    ['spaces', (line: string) => line.replace('"payload":', '"payload": ')],
    ['nothing at all', () => '{}'],
  ])('with %s smuggled in is refused', async (_, smuggle) => {
    const at = lineOf(1_234)
    expect(await flawOf(lines.with(at, smuggle(lines[at] ?? '')))).toMatchObject({
      position: 1_234,
    })
  })

  test('that is cut short is not taken for a short one', async () => {
    expect(await flawOf(lines.slice(0, -1))).toMatchObject({
      what: 'The export is cut short: its end is missing.',
    })
    const short = [...lines.slice(0, lineOf(2_000)), '{"end":{"size":2000}}']
    expect(await flawOf(short)).toMatchObject({
      position: 2_000,
      what: expect.stringContaining('The records from 2000 on are missing'),
    })
    expect(await flawOf([...lines, lines[5] ?? ''])).toMatchObject({
      what: 'Something stands behind the end.',
    })
    expect(await verifyAudit([], { publicKeys, anchors })).toMatchObject({ kind: 'broken' })
  })

  test('is not believed when an unknown key signed it', async () => {
    const intruder = [publicKeyOf(createAuditKey())]
    expect(await verifyAudit(lines, { publicKeys: intruder, anchors: [] })).toMatchObject({
      kind: 'broken',
      flaw: { what: 'The head over 700 records is not signed by a known key.' },
    })
  })

  test('of one tenant is not taken for that of another', async () => {
    const renamed = lines.map((line) => line.replaceAll('"tenant":"acme"', '"tenant":"globex"'))
    expect(await flawOf(renamed)).toBeDefined()
    const otherHeader = lines.with(
      0,
      JSON.stringify({ ...JSON.parse(lines[0] ?? ''), tenant: 'globex', head: null }),
    )
    expect(await flawOf(otherHeader)).toMatchObject({
      position: 0,
      what: 'Record 0 is of another tenant.',
    })
  })

  test('is begun again when a person was erased meanwhile', async () => {
    const { database } = await createAudit(1_500, 500)
    const half: string[] = []
    const reading = async () => {
      for await (const line of exportAudit(database, 'acme')) {
        half.push(line)
        if (half.length === 10) database.raw.exec('update audit_trees set erasures = erasures + 1')
      }
    }
    await expect(reading()).rejects.toThrow('export it again')
  })
})

describe('keys and heads', () => {
  test('a key is written and read again', () => {
    const again = readAuditKey(writeAuditKey(key))
    const head = signHead({ tenant: 'acme', size: 1, root: 'ab', signed_at: 1 }, again)
    const known = readPublicAuditKey(writePublicAuditKey(publicKeyOf(key)))
    expect(again.id).toBe(key.id)
    expect(isSigned(head, new Map([[known.id, known]]))).toBe(true)
    for (const change of [
      { tenant: 'globex' },
      { size: 2 },
      { root: 'ac' },
      { signed_at: 2 },
      { signature: 'AAAA' },
    ])
      expect(isSigned({ ...head, ...change }, new Map([[known.id, known]]))).toBe(false)
  })

  test('what is no Ed25519 key is refused', () => {
    const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    })
    for (const pem of ['', 'no key', String(rsa)])
      expect(() => readAuditKey(pem)).toThrow('Ed25519')
  })

  test('a file keeps every head, also behind a line that a crash cut short', async () => {
    const path = join(folder, 'heads')
    const anchor = fileAnchor(path)
    const heads = anchors.slice(0, 3)
    await Promise.all(heads.map(anchor))
    expect(readAnchors(readFileSync(path, 'utf8'))).toEqual(heads)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40))
    await fileAnchor(path)(heads[0] as SignedHead)
    expect(readAnchors(readFileSync(path, 'utf8'))).toEqual([heads[0], heads[1], heads[0]])
  })

  test('heads are read again out of a log', async () => {
    const written: string[] = []
    for (const head of anchors) await stdoutAnchor((line) => written.push(line))(head)
    expect(readAnchors(written.join(''))).toEqual(anchors)
    expect(() => readAnchors('something else\n')).toThrow(
      'Line 1 of the anchors is no signed head.',
    )
  })
})

test('a head is anchored when its line is written, not when it is handed over', async () => {
  const script = `import { stdoutAnchor } from './anchors.ts'
    const filler = 'x'.repeat(3_000_000)
    await stdoutAnchor()({ tenant: filler, size: 1, root: 'ab', signed_at: 1, key_id: 'k', signature: 's' })
    process.exit(0)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const written = (await collect(child.stdout)).join('')
  expect(readAnchors(written)).toMatchObject([{ size: 1, signature: 's' }])
})

test('what is stored is verified where it lies, over many pages', async () => {
  const { database, anchors: kept } = await createAudit(2_500, 900)
  expect(await verifyStored(database, 'acme', { publicKeys, anchors: kept })).toMatchObject({
    kind: 'intact',
    size: 2_500,
    anchoredSize: 2_500,
  })
  database.raw.exec("update audit_records set error = 'x' where position = 2100")
  expect(await verifyStored(database, 'acme', { publicKeys, anchors: kept })).toMatchObject({
    flaw: { position: 2_100, id: sampleRecord(2_100).id },
  })
})
