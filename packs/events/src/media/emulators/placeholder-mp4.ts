import { Buffer } from 'node:buffer'

const SCALE = 600
const SECONDS = 4

/**
 * The head of a film without pictures, with a word on who made it. As text, because an emulator speaks text:
 * no byte of it is above 127.
 */
export function placeholderMp4(): string {
  const header = Buffer.alloc(100)
  header.writeUInt32BE(SCALE, 12)
  header.writeUInt32BE(SCALE * SECONDS, 16)
  header.writeUInt32BE(0x0001_0000, 20)
  header.writeUInt16BE(0x0100, 24)
  // the identity matrix (ISO/IEC 14496-12, 8.2.2)
  for (const [at, value] of [
    [36, 0x0001_0000],
    [52, 0x0001_0000],
    [68, 0x4000_0000],
  ] as const)
    header.writeUInt32BE(value, at)
  header.writeUInt32BE(1, 96)
  const kind = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'))
  const label = box('free', Buffer.from('Made by an emulator; no model was asked.', 'latin1'))
  return Buffer.concat([kind, label, box('moov', box('mvhd', header))]).toString('latin1')
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}
