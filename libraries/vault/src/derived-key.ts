import { hkdfSync } from 'node:crypto'
import { ToolError } from '@surehand/core'

const KEY_BYTES = 32

/** One purpose, one key: what is learned of one tells nothing of another. */
export function derivedKey(key: Uint8Array, purpose: 'sealing' | 'state' | 'digest'): Uint8Array {
  if (key.byteLength !== KEY_BYTES)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', `A key of the vault has ${KEY_BYTES} bytes.`)
  return new Uint8Array(hkdfSync('sha256', key, '', `surehand vault ${purpose}`, KEY_BYTES))
}
