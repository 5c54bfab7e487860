const OPUS_SILENCE = Buffer.from([0xf8, 0xff, 0xfe])
const PACKETS = 50
const SAMPLES_A_PACKET = 960
const SERIAL = 0x5752

/** A voice note of one second without a sound, in the format of WhatsApp: Opus in Ogg. */
export function silentVoiceNote(): Buffer {
  const head = Buffer.from('OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00', 'latin1')
  const vendor = Buffer.from('emulator')
  const tags = Buffer.concat([
    Buffer.from('OpusTags'),
    littleEndian(vendor.length),
    vendor,
    littleEndian(0),
  ])
  const audio = Array.from({ length: PACKETS }, () => OPUS_SILENCE)
  return Buffer.concat([
    oggPage([head], { sequence: 0, flags: 2, position: 0 }),
    oggPage([tags], { sequence: 1, flags: 0, position: 0 }),
    oggPage(audio, { sequence: 2, flags: 4, position: PACKETS * SAMPLES_A_PACKET }),
  ])
}

type PagePlace = { readonly sequence: number; readonly flags: number; readonly position: number }

/** A page of an Ogg stream (RFC 3533); every packet here is shorter than 255 bytes. */
function oggPage(packets: readonly Buffer[], { sequence, flags, position }: PagePlace): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeUInt32LE(position, 6)
  head.writeUInt32LE(SERIAL, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = packets.length
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  page.writeUInt32LE(checksum(page), 22)
  return page
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0
    for (let bit = 0; bit < 8; bit += 1)
      sum = ((sum & 0x80000000) !== 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1) >>> 0
  }
  return sum
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
