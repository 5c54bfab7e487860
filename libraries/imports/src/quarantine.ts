import type { Tool } from '@surehand/core'
import { definitionHash } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import type { TenantTool } from '@surehand/core/ports'
import type { ImportRecord, PinRecord } from './import-record.ts'

/** Quarantines every tool that is new or has changed since an administrator accepted its source. */
export function quarantineChanged(
  tools: readonly Tool[],
  record: ImportRecord,
  pin: PinRecord | undefined,
  generator: string,
): readonly TenantTool[] {
  if (pin !== undefined && isAsAccepted(record, pin, generator))
    return tools.map((tool) => ({ tool, quarantineReason: undefined }))
  return tools.map((tool) => ({ tool, quarantineReason: findReason(tool, pin) }))
}

// Hashing a thousand definitions takes a second. If document, settings and generator are the same, so are all the tools.
function isAsAccepted(record: ImportRecord, pin: PinRecord, generator: string): boolean {
  const isSame =
    pin.kind === record.kind && pin.document === record.document && pin.generator === generator
  return isSame && pin.isWhole && hashJson(pin.settings) === hashJson(record.settings)
}

function findReason(tool: Tool, pin: PinRecord | undefined): string | undefined {
  const accepted =
    pin !== undefined && Object.hasOwn(pin.tools, tool.id) ? pin.tools[tool.id] : undefined
  if (accepted === undefined) return 'it is new since its source was accepted.'
  return accepted === definitionHash(tool)
    ? undefined
    : `it has changed since ${pin?.acceptedBy} accepted it.`
}
