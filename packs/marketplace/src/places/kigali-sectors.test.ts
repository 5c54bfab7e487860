import { expect, test } from 'vitest'
import { findSector, KIGALI_SECTORS } from './kigali-sectors.ts'

test('the 35 sectors of the three districts lie in and around Kigali, each in its own place', () => {
  const byDistrict = Object.groupBy(KIGALI_SECTORS, ({ district }) => district)
  expect(Object.entries(byDistrict).map(([name, all]) => [name, all.length])).toEqual([
    ['Gasabo', 15],
    ['Kicukiro', 10],
    ['Nyarugenge', 10],
  ])
  for (const { latitude, longitude } of KIGALI_SECTORS) {
    expect(latitude).toBeGreaterThan(-2.1)
    expect(latitude).toBeLessThan(-1.78)
    expect(longitude).toBeGreaterThan(29.97)
    expect(longitude).toBeLessThan(30.28)
  }
  expect(
    new Set(KIGALI_SECTORS.map(({ latitude, longitude }) => `${latitude}/${longitude}`)).size,
  ).toBe(35)
})

test('a sector is found in any case and by its other spelling', () => {
  expect(findSector(' kimironko ')?.district).toBe('Gasabo')
  expect(findSector('MAGERAGERE')?.name).toBe('Mageregere')
  expect(findSector('Paris')).toBeUndefined()
})
