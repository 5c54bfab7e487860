import { hkdfSync } from 'node:crypto'
import { ToolError } from '@surehand/core'

const KEY_BYTES = 32

/** Derives a separate key for each purpose, so that one of them reveals nothing about another. */
export function deriveKey(key: Uint8Array, purpose: 'sealing' | 'state' | 'digest'): Uint8Array {
  if (key.byteLength !== KEY_BYTES)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', `A vault key must have ${KEY_BYTES} bytes.`)
  return new Uint8Array(hkdfSync('sha256', key, '', `surehand vault ${purpose}`, KEY_BYTES))
}
