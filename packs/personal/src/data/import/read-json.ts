import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import { z } from 'zod'
import { EXPORT_FORMAT, EXPORT_VERSION } from '../export/write-json.ts'
import { FAMILIES } from '../families.ts'
import { checkRow } from './check-row.ts'
import type { When } from './complete-row.ts'
import type { ImportItem, ImportProblem, ReadItems } from './import-item.ts'

const Export = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  data: z.record(z.string(), z.array(z.unknown())),
})

/** Reads an export of data.export. */
export function readJson(text: string, when: When): ReadItems {
  const { data } = parseExport(text)
  const items: ImportItem[] = []
  const problems: ImportProblem[] = []
  for (const family of Object.keys(data))
    if (!FAMILIES.some((known) => known === family))
      problems.push({ place: family, problem: 'is not a known kind of data and is left out' })
  for (const family of FAMILIES) {
    for (const [index, row] of (data[family] ?? []).entries()) {
      const place = `${family}[${index}]`
      const checked = isRecord(row)
        ? checkRow(family, row, when)
        : ({ ok: false, problem: 'is no object' } as const)
      if (checked.ok) items.push({ family, place, row: checked.row, knownBy: 'id' })
      else problems.push({ place, problem: checked.problem })
    }
  }
  return { items, problems }
}

function parseExport(text: string): z.output<typeof Export> {
  const parsed = Export.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `This is not an export of data.export: it needs the format "${EXPORT_FORMAT}" and version ${EXPORT_VERSION}.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'The content is not valid JSON.', { cause })
  }
}
