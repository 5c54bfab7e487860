import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineZone } from './open-local-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-zone-'))
const intl = new Intl.DateTimeFormat().resolvedOptions().timeZone

function localtime(zone: string): string {
  const path = join(folder, zone.replaceAll('/', '-'))
  symlinkSync(`/usr/share/zoneinfo/${zone}`, path)
  return path
}

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/UTC', 'UTC'],
])('TZ=%s is %s, and so is a clock that is linked to it', (said, zone) => {
  expect(machineZone(said)).toBe(zone)
  expect(machineZone(undefined, localtime(said))).toBe(zone)
})

test.each(['Europe/Nowhere', 'EST5EDT', ':/etc/localtime', '../../etc/passwd'])(
  'of TZ=%s Intl is asked',
  (said) => {
    expect(machineZone(said)).toBe(intl)
  },
)

test('where the clock is a copy and no link, Intl is asked', () => {
  const copy = join(folder, 'copy')
  writeFileSync(copy, 'TZif')
  expect(machineZone('', copy)).toBe(intl)
  expect(machineZone(undefined, join(folder, 'nothing'))).toBe(intl)
})
