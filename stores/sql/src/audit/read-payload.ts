import { type Payload, payloadText } from './leaf.ts'

// the common form: nothing erased, and nothing in the texts that JSON escapes
const PLAIN =
  /^\{"erased_at":null,"erasure":null,"error":"([^"\\]*)","input_hash":"([^"\\]*)","output_hash":"([^"\\]*)","principal":"([^"\\]*)","salt":"([^"\\]*)"\}$/

/** A payload out of its canonical text; undefined when it is none, or says more than a payload does. */
export function readPayload(text: string): Payload | undefined {
  const plain = PLAIN.exec(text)
  if (plain === null) return parsedPayload(text)
  const [, error = '', input_hash = '', output_hash = '', principal = '', salt = ''] = plain
  return { erased_at: null, erasure: null, error, input_hash, output_hash, principal, salt }
}

function parsedPayload(text: string): Payload | undefined {
  try {
    const payload = JSON.parse(text) as Payload
    // written again and compared: nothing hides in it, no field more and none twice
    return payloadText(payload) === text ? payload : undefined
  } catch {
    return undefined
  }
}
