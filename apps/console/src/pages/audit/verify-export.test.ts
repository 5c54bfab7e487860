import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyExport } from './verify-export.ts'

// An export as `surehand audit export` writes it. It is made here by the rules of RFC 6962, so that
// neither the server's code nor the console's is its own judge; the browser test has a real one.
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const keys = [
  {
    key_id: 'k1',
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  },
]
const sha = (data: string | Buffer): string => hash('sha256', data, 'hex')

function rootOver(leaves: readonly string[]): string {
  if (leaves.length === 1) return leaves[0] ?? ''
  let middle = 1
  while (middle * 2 < leaves.length) middle *= 2
  const [left, right] = [rootOver(leaves.slice(0, middle)), rootOver(leaves.slice(middle))]
  return sha(Buffer.concat([Buffer.from([1]), Buffer.from(left, 'hex'), Buffer.from(right, 'hex')]))
}

function recordLine(position: number): { readonly leaf: string; readonly line: string } {
  const salt = sha(`salt ${position}`).slice(0, 32)
  const [input, output] = [sha(`in ${position}`), sha(`out ${position}`)]
  const person = 'ann "the first" \u202e'
  const text = JSON.stringify({
    id: `aud_${position}`,
    input_commitment: sha(`${salt}i${input}`),
    outcome: 'done',
    output_commitment: sha(`${salt}o${output}`),
    person_commitment: sha(`${salt}p${JSON.stringify(person)}""`),
    position,
    tenant: 'acme',
  })
  const payload = JSON.stringify({
    erased_at: null,
    erasure: null,
    error: '',
    input_hash: input,
    output_hash: output,
    principal: person,
    salt,
  })
  const leaf = sha(`\0${text}`)
  return { leaf, line: `{"leaf":"${leaf}","payload":${payload},"record":${text}}` }
}

function headOver(leaves: readonly string[]): object {
  const signed = {
    key_id: 'k1',
    root: rootOver(leaves),
    signed_at: 1_794_823_200_000,
    size: leaves.length,
    tenant: 'acme',
  }
  const signature = sign(null, Buffer.from(JSON.stringify(signed)), privateKey)
  return { ...signed, signature: signature.toString('base64url') }
}

const records = Array.from({ length: 11 }, (_, position) => recordLine(position))
const leaves = records.map(({ leaf }) => leaf)
const lines = [
  JSON.stringify({ format: 'surehand-audit-1', tenant: 'acme', head: headOver(leaves) }),
  ...records.slice(0, 7).map(({ line }) => line),
  JSON.stringify({ head: headOver(leaves.slice(0, 7)) }),
  ...records.slice(7).map(({ line }) => line),
  JSON.stringify({ head: headOver(leaves) }),
  '{"end":{"size":11}}',
]
const verify = (changed: readonly string[], known = keys) => verifyExport(changed, { keys: known })
// behind the header, and from record 7 on behind a head too
const placeOf = (position: number): number => position + (position < 7 ? 1 : 2)
const changeLine = (place: number, from: string, to: string): readonly string[] =>
  lines.with(place, (lines[place] ?? '').replace(from, to))

test('an export that nobody changed is intact', async () => {
  const intact = { kind: 'intact', tenant: 'acme', size: 11, signedSize: 11, erased: 0 }
  expect(await verify(lines)).toEqual(intact)
})

describe('an export is broken where', () => {
  test('a record was changed, and it is the one that is named', async () => {
    const place = placeOf(5)
    expect(await verify(changeLine(place, '"outcome":"done"', '"outcome":"failed"'))).toMatchObject(
      {
        kind: 'broken',
        position: 5,
        what: 'Record 5 was changed after it was written.',
      },
    )
  })

  test('a record was changed together with its hash: the head tells', async () => {
    const text = (lines[placeOf(8)] ?? '').replace('"outcome":"done"', '"outcome":"failed"')
    const record = text.slice(text.indexOf(',"record":') + 10, -1)
    const forged = text.replace(leaves[8] ?? '', sha(`\0${record}`))
    expect(await verify(lines.with(placeOf(8), forged))).toMatchObject({
      kind: 'broken',
      what: 'One of the records 7 to 10 is not what the head over 11 records was signed for.',
    })
  })

  test('the person beside a record was changed', async () => {
    expect(
      await verify(changeLine(placeOf(3), '"principal":"ann', '"principal":"eve')),
    ).toMatchObject({ kind: 'broken', position: 3, what: expect.stringContaining('committed to') })
  })

  test('a record is missing, the end is, or a head was signed by another key', async () => {
    expect(await verify(lines.toSpliced(placeOf(9), 1))).toMatchObject({ position: 9 })
    expect(await verify(lines.slice(0, -1))).toMatchObject({
      kind: 'broken',
      what: 'The export is cut short: its end is missing.',
    })
    expect(await verify(lines, [])).toMatchObject({
      kind: 'broken',
      position: 7,
      what: 'The head over 7 records is not signed by a known key.',
    })
    expect(await verify([])).toMatchObject({ kind: 'broken' })
  })
})
