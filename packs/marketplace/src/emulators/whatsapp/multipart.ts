import type { EmulatorRequest } from '@surehand/testing'

export type Part = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

/** The parts of a multipart/form-data body. Synchronous, as the handlers of emulators are. */
export function readMultipart({ headers, bytes }: EmulatorRequest): readonly Part[] {
  const [, quoted, plain] =
    /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return []
  const body = Buffer.from(bytes)
  const marks = findAll(body, Buffer.from(`--${boundary}`))
  return marks.slice(0, -1).flatMap((mark, index) => {
    // Between two boundaries: CRLF, the headers, an empty line, the content, CRLF.
    const part = body.subarray(mark + boundary.length + 4, (marks[index + 1] ?? 0) - 2)
    const split = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, split).toString('utf8')
    const name = /\bname="([^"]*)"/.exec(head)?.[1]
    const mediaType = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? 'text/plain'
    return name === undefined ? [] : [{ name, mediaType, bytes: part.subarray(split + 4) }]
  })
}

function findAll(bytes: Buffer, mark: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length))
    found.push(at)
  return found
}
