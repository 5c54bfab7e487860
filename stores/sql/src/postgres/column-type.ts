import type { SqlValue } from '@surehand/core/internal'
import pg from 'pg'
import { withNul } from './nul.ts'

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, OID } = pg.types.builtins
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID])

const toNumber = (text: string): SqlValue => Number(text)
const toFlag = (text: string): SqlValue => (text === 't' ? 1 : 0)

/** A column's value as both databases give it: numbers and texts, and a truth as 1 or 0. */
export function columnType(type: number): (text: string) => SqlValue {
  if (NUMBERS.has(type)) return toNumber
  return type === BOOL ? toFlag : withNul
}
