import type { Tool } from '@surehand/core'
import { definitionHash } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import type { Brought } from '@surehand/core/ports'
import type { ImportRecord, PinRecord } from './import-record.ts'

/** Tools with why they are held back: whatever is not as somebody accepted it waits for somebody who does. */
export function heldBack(
  tools: readonly Tool[],
  record: ImportRecord,
  pin: PinRecord | undefined,
  generator: string,
): readonly Brought[] {
  if (pin !== undefined && isAsAccepted(record, pin, generator))
    return tools.map((tool) => ({ tool, held: undefined }))
  return tools.map((tool) => ({ tool, held: reasonOf(tool, pin) }))
}

// hashing a thousand definitions takes a second: what they are all made of says the same at once
function isAsAccepted(record: ImportRecord, pin: PinRecord, generator: string): boolean {
  const isSame =
    pin.kind === record.kind && pin.document === record.document && pin.generator === generator
  return isSame && pin.isWhole && hashJson(pin.settings) === hashJson(record.settings)
}

function reasonOf(tool: Tool, pin: PinRecord | undefined): string | undefined {
  const accepted =
    pin !== undefined && Object.hasOwn(pin.tools, tool.id) ? pin.tools[tool.id] : undefined
  if (accepted === undefined) return 'it is new since its source was accepted.'
  return accepted === definitionHash(tool)
    ? undefined
    : `it has changed since ${pin?.acceptedBy} accepted it.`
}
