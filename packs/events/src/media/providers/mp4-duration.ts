import { Buffer } from 'node:buffer'

/** How long a film is, as its header says; undefined where there is none to read (ISO/IEC 14496-12: moov, mvhd). */
export function mp4Seconds(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const movie = boxIn(file, 'moov')
  const header = movie === undefined ? undefined : boxIn(movie, 'mvhd')
  if (header === undefined || header.length < 20) return undefined
  const isLong = header.readUInt8(0) === 1
  if (isLong && header.length < 32) return undefined
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale === 0 ? undefined : duration / scale
}

/** What is in the first box of this name. */
export function boxIn(container: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + 8 <= container.length; ) {
    const short = container.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    if (at + head > container.length) return undefined
    // 0: to the end; 1: the size stands after the name
    const size =
      short === 0
        ? container.length - at
        : short === 1
          ? Number(container.readBigUInt64BE(at + 8))
          : short
    if (size < head) return undefined
    if (container.toString('latin1', at + 4, at + 8) === name)
      return container.subarray(at + head, at + size)
    at += size
  }
  return undefined
}
