import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { AuditEntry, AuditRecord } from '@surehand/core/ports'
import {
  closeSeal,
  openValues,
  type RecordValues,
  type StoredRecord,
  sealedValues,
  sealIn,
  shortenSeal,
  toRecord,
} from './record-row.ts'

/**
 * A seal proves that a record was written by a process that has the key: it is made in the
 * transaction that writes the record and its call, and the key is not in the database. It covers
 * everything but the number and the time, which the database assigns.
 */
export type RecordSealer = {
  readonly record: (entry: AuditEntry) => StoredRecord
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
      openValues: (entry) => openValues(toRecord(entry), () => null),
    }
  const seal = sealWith(key)
  const open = opener(key)
  return {
    openValues: (entry) => openValues(toRecord(entry), open),
    record(entry) {
      const record = toRecord(entry)
      return { ...record, seal: seal(record) }
    },
  }
}

/** Seals the values of records whose output is known. Without a key, they get no seal. */
export function valuesSealer(key: Uint8Array | undefined): (values: RecordValues) => RecordValues {
  if (key === undefined) return (values) => values
  const open = opener(key)
  return (values) => sealedValues(values, open)
}

const LEAF_SEAL = '.'

/**
 * The seal of a record that has its place in the tree: over its leaf, which holds everything else.
 * It takes a fifth of the time of the other seal, whose text is as long as the record.
 */
export function leafSealer(key: Uint8Array): (leaf: string) => string {
  const block = keyBlock(key)
  // Hashed once: the verification accepts only leaves of one length, so none can be extended.
  return (leaf) => LEAF_SEAL + shortenSeal(hash('sha256', `${block}${leaf}`, 'base64url'))
}

/**
 * The seal of records that are stored as one row, over all their leaves. Their number comes before
 * them, so that no list can be continued.
 */
export function segmentSealer(key: Uint8Array): (leaves: string, count: number) => string {
  const block = keyBlock(key)
  return (leaves, count) => shortenSeal(hash('sha256', `${block}${count}:${leaves}`, 'base64url'))
}

export function isLeafSeal(seal: string | null): boolean {
  return seal?.startsWith(LEAF_SEAL) === true
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
  const block = keyBlock(key)
  return (values) => hash('sha256', `${block}${JSON.stringify(values)}`, 'base64url')
}

/** 64 bytes, one block of SHA-256. */
function keyBlock(key: Uint8Array): string {
  return Buffer.from(key).toString('hex').padEnd(64, '0').slice(0, 64)
}
