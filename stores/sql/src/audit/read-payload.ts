import { type Payload, payloadText } from './leaf.ts'

// The common form: nothing erased, and no character that JSON escapes.
const PLAIN =
  /^\{"erased_at":null,"erasure":null,"error":"([^"\\]*)","input_hash":"([^"\\]*)","output_hash":"([^"\\]*)","principal":"([^"\\]*)","salt":"([^"\\]*)"\}$/

/**
 * Parses a payload from its canonical text; undefined when it is not one or has additional fields.
 */
export function readPayload(text: string): Payload | undefined {
  const plain = PLAIN.exec(text)
  if (plain === null) return parsedPayload(text)
  const [, error = '', input_hash = '', output_hash = '', principal = '', salt = ''] = plain
  return { erased_at: null, erasure: null, error, input_hash, output_hash, principal, salt }
}

function parsedPayload(text: string): Payload | undefined {
  try {
    const payload = JSON.parse(text) as Payload
    // Serialized again and compared, so that no additional or duplicate field goes unnoticed.
    return payloadText(payload) === text ? payload : undefined
  } catch {
    return undefined
  }
}
