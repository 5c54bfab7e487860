import type { Row } from '@surehand/core/internal'
import { z } from 'zod'
import { numberOf, type Reader, textOf } from '../market-data.ts'
import { OcrStatus } from '../request/request.ts'

/** What a snapshot says of the latest picture. */
export const OcrResult = z.object({
  job_id: z.string(),
  status: OcrStatus,
  extracted: z.record(z.string(), z.json()),
  confidence: z.number().nullable(),
})
export type OcrResult = z.output<typeof OcrResult>

export async function readLatestOcr(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<OcrResult | undefined> {
  const [row] = await read(
    `select * from mk_ocr_jobs where tenant = ? and request_id = ? order by created_at desc, id desc limit 1`,
    tenant,
    requestId,
  )
  return row === undefined
    ? undefined
    : {
        job_id: String(row.id),
        status: row.status as OcrStatus,
        extracted: extractedOf(row) ?? {},
        confidence: numberOf(row.confidence) ?? null,
      }
}

/** What was read from a picture; undefined while nothing was, or after it was erased. */
export function extractedOf(row: Row): Record<string, z.core.util.JSONType> | undefined {
  const text = textOf(row.extracted)
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, z.core.util.JSONType>)
}
