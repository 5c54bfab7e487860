import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { AuditEntry, AuditRecord } from '@surehand/core/ports'
import {
  closeSeal,
  openValues,
  type RecordValues,
  recordValues,
  type StoredRecord,
  sealIn,
  toRecord,
  withOutput,
} from './record-row.ts'

/**
 * A seal proves that a record was written by a process that has the key: it is made in the
 * transaction that writes the record and its call, and the key is not in the database. It covers
 * everything but the number and the time, which the database assigns.
 */
export type RecordSealer = {
  readonly record: (entry: AuditEntry) => StoredRecord
  /** The same as the values of its columns. */
  readonly values: (entry: AuditEntry) => RecordValues
  /**
   * For a record whose output is not known yet. Its seal is a secret of this record, and is closed
   * when the output is known: the writer's thread needs no key.
   */
  readonly openValues: (entry: AuditEntry) => RecordValues
}

/** Without a key, records have no seal. */
export function recordSealer(key: Uint8Array | undefined): RecordSealer {
  if (key === undefined)
    return {
      record: toRecord,
      values: (entry) => recordValues(toRecord(entry)),
      openValues: (entry) => openValues(toRecord(entry), () => null),
    }
  const seal = sealWith(key)
  const open = opener(key)
  return {
    openValues: (entry) => openValues(toRecord(entry), open),
    values(entry) {
      const record = toRecord(entry)
      return withOutput(openValues(record, open), record.output_hash)
    },
    record(entry) {
      const record = toRecord(entry)
      return { ...record, seal: seal(record) }
    },
  }
}

/** Computes the seal that a record must have. */
export function sealWith(key: Uint8Array): (record: AuditRecord) => string {
  const open = opener(key)
  return (record) => closeSeal(sealIn(openValues(record, open)), record.output_hash)
}

/** A seal of the place from which on records are sealed. */
export function sealOfStart(key: Uint8Array, lastNumber: number, count: number): string {
  return closeSeal(opener(key)(['sealed from here on', lastNumber, count]), '')
}

/**
 * The first half of a seal. Hashed twice, with the key in a block of its own before the text: as in
 * HMAC, a text cannot be extended while its inner hash is secret.
 */
function opener(key: Uint8Array): (values: RecordValues) => string {
  // 64 bytes, one block of SHA-256.
  const block = Buffer.from(key).toString('hex').padEnd(64, '0').slice(0, 64)
  return (values) => hash('sha256', `${block}${JSON.stringify(values)}`, 'base64url')
}
