// table
import { findSector } from '../places/kigali-sectors.ts'

/** A vendor of the demo's market. The shops and their numbers are invented. */
export type DemoVendor = {
  readonly id: string
  readonly name: string
  readonly phone: string
  /** The first is its own; it also sells the others. */
  readonly categories: readonly string[]
  readonly sector: string
  readonly latitude: number
  readonly longitude: number
  readonly tags: readonly string[]
  readonly rating: number
  readonly reply_hours: number
  readonly language: 'en' | 'fr' | 'rw'
  readonly opening_hours: OpeningHours
}

export type OpeningHours = Readonly<Record<string, readonly (readonly [string, string])[]>>

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

function hours(open: string, close: string, sunday?: readonly [string, string]): OpeningHours {
  const days = WEEK.map((day) => [day, [[open, close]]] as const)
  return { ...Object.fromEntries(days), ...(sunday === undefined ? {} : { sun: [sunday] }) }
}

const HOURS = {
  late: hours('07:00', '22:00', ['08:00', '21:00']),
  day: hours('08:00', '18:00'),
  shop: hours('08:30', '20:00', ['10:00', '17:00']),
  always: hours('00:00', '23:59', ['00:00', '23:59']),
} as const

type Row = readonly [
  name: string,
  sector: string,
  language: 'en' | 'fr' | 'rw',
  rating: number,
  replyHours: number,
  open: keyof typeof HOURS,
  tags: string,
  alsoSells?: string,
]

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  pharmacy: [
    ['Kimironko Community Pharmacy', 'Kimironko', 'en', 4.6, 0.3, 'late', 'delivery insurance'],
    ['Pharmacie Ubuzima Bwiza', 'Kimironko', 'rw', 4.2, 0.8, 'late', 'insurance'],
    ['Pharmacie du Marché', 'Kimironko', 'fr', 3.9, 1.5, 'shop', 'generic'],
    ['Remera Care Pharmacy', 'Remera', 'en', 4.4, 0.5, 'always', 'delivery night insurance'],
    ['Pharmacie Amahoro', 'Remera', 'fr', 4.1, 1, 'late', 'insurance'],
    ['Kacyiru Health Pharmacy', 'Kacyiru', 'en', 4.7, 0.4, 'late', 'delivery insurance'],
    ['Pharmacie Umucyo', 'Nyarugenge', 'fr', 4.3, 0.7, 'late', 'insurance generic'],
    ['City Centre Pharmacy', 'Nyarugenge', 'en', 4.5, 0.4, 'always', 'delivery night'],
    ['Pharmacie Nyamirambo', 'Nyamirambo', 'rw', 4, 1.2, 'late', 'generic'],
    ['Gisozi Pharmacy', 'Gisozi', 'rw', 3.8, 2, 'shop', 'generic'],
    ['Kicukiro Centre Pharmacy', 'Kicukiro', 'en', 4.2, 0.9, 'late', 'insurance'],
    ['Pharmacie Kabeza', 'Kanombe', 'fr', 4, 1.4, 'late', 'delivery'],
    ['Gikondo Pharmacy', 'Gikondo', 'rw', 3.7, 2.5, 'shop', 'generic'],
    ['Masaka Road Pharmacy', 'Masaka', 'en', 3.9, 1.8, 'shop', 'generic'],
  ],
  electronics: [
    ['Kigali Phone House', 'Nyarugenge', 'en', 4.5, 0.4, 'shop', 'warranty samsung iphone repair'],
    ['Rubangura Electronics', 'Nyarugenge', 'rw', 4.1, 0.6, 'shop', 'samsung tecno chargers'],
    ['Techno Remera', 'Remera', 'en', 4.3, 0.5, 'shop', 'laptops warranty'],
    ['Kimironko Mobile', 'Kimironko', 'rw', 3.9, 0.7, 'shop', 'tecno repair chargers'],
    ['Maison du Laptop', 'Kimihurura', 'fr', 4.6, 0.8, 'day', 'laptops warranty delivery'],
    ['Kacyiru Digital', 'Kacyiru', 'en', 4.2, 1, 'shop', 'laptops printers'],
    ['Nyabugogo Sound and TV', 'Muhima', 'rw', 3.8, 1.5, 'shop', 'television radio'],
    ['Gisozi Solar', 'Gisozi', 'en', 4.4, 1.2, 'day', 'solar batteries warranty', 'hardware'],
    ['Kicukiro Computers', 'Kicukiro', 'fr', 4, 1.1, 'shop', 'laptops repair'],
  ],
  hardware: [
    ['Gisozi Quincaillerie', 'Gisozi', 'rw', 4.3, 0.8, 'day', 'cement delivery tools'],
    ['Agakinjiro Builders', 'Gisozi', 'rw', 4.1, 0.6, 'day', 'timber tools'],
    ['Quincaillerie Moderne', 'Gatsata', 'fr', 4, 1.2, 'day', 'plumbing paint'],
    ['Gikondo Building Supplies', 'Gikondo', 'en', 4.4, 0.9, 'day', 'cement delivery plumbing'],
    ['Remera Tools', 'Remera', 'en', 3.9, 1.4, 'shop', 'tools electrical'],
    ['Kicukiro Paints', 'Kicukiro', 'en', 4.2, 1.1, 'day', 'paint'],
    ['Kanombe Quincaillerie', 'Kanombe', 'rw', 3.8, 1.9, 'day', 'cement roofing'],
    ['Nyabugogo Iron Works', 'Muhima', 'rw', 4, 1.6, 'day', 'iron roofing'],
  ],
  groceries: [
    ['Kimironko Market Stall 114', 'Kimironko', 'rw', 4.5, 0.2, 'late', 'fresh vegetables'],
    ['Kimironko Fresh Fruit', 'Kimironko', 'rw', 4.3, 0.3, 'late', 'fresh fruit delivery'],
    ['Remera Supermarket', 'Remera', 'en', 4.2, 0.9, 'late', 'delivery bakery'],
    ['Alimentation La Gardienne', 'Kacyiru', 'fr', 4, 1, 'late', 'delivery wine'],
    ['Nyamirambo Halal Butchery', 'Nyamirambo', 'rw', 4.4, 0.6, 'late', 'halal meat'],
    ['Gikondo Grain Store', 'Gikondo', 'rw', 3.9, 1.3, 'day', 'rice beans wholesale'],
    ['Kinyinya Corner Shop', 'Kinyinya', 'en', 3.7, 1.7, 'late', 'milk bread'],
    ['Kabuga Farm Produce', 'Rusororo', 'rw', 4.1, 1.5, 'day', 'fresh milk eggs'],
    ['Niboye Mini Market', 'Niboye', 'fr', 3.9, 1.2, 'late', 'delivery milk'],
  ],
  clothing: [
    ['Kimironko Kitenge', 'Kimironko', 'rw', 4.6, 0.5, 'shop', 'kitenge tailor'],
    ['Biryogo Fashion', 'Nyarugenge', 'fr', 4.1, 0.9, 'shop', 'shoes dresses'],
    ['Made in Kigali Studio', 'Kacyiru', 'en', 4.7, 0.8, 'day', 'tailor suits delivery'],
    ['Nyabugogo Shoes', 'Muhima', 'rw', 3.8, 1.1, 'shop', 'shoes wholesale'],
    ['Remera School Uniforms', 'Remera', 'rw', 4.2, 0.7, 'day', 'uniforms tailor'],
    ['Boutique Élégance', 'Kimihurura', 'fr', 4.3, 1.4, 'shop', 'dresses suits'],
    ['Kicukiro Sportswear', 'Niboye', 'en', 4, 1, 'shop', 'sport shoes'],
  ],
  auto_parts: [
    ['Gatsata Auto Spares', 'Gatsata', 'rw', 4.3, 0.5, 'day', 'toyota brakes filters'],
    ['Kinamba Motors', 'Gisozi', 'rw', 4, 0.8, 'day', 'toyota tyres'],
    ['Pièces Auto Muhima', 'Muhima', 'fr', 4.1, 0.9, 'day', 'volkswagen toyota'],
    ['Gikondo Tyres and Batteries', 'Gikondo', 'en', 4.4, 0.7, 'day', 'tyres batteries delivery'],
    ['Kicukiro Moto Parts', 'Kicukiro', 'rw', 3.9, 1.2, 'day', 'moto chains helmets'],
    ['Kanombe Garage Parts', 'Kanombe', 'en', 3.8, 1.8, 'day', 'brakes oil'],
  ],
  stationery: [
    ['Librairie Ikirezi du Quartier', 'Kacyiru', 'fr', 4.5, 1, 'shop', 'books school'],
    ['Remera Print and Paper', 'Remera', 'en', 4.2, 0.6, 'day', 'printing paper delivery'],
    ['Kimironko School Supplies', 'Kimironko', 'rw', 4, 0.8, 'shop', 'school uniforms', 'clothing'],
    [
      'Nyarugenge Office Depot',
      'Nyarugenge',
      'en',
      4.1,
      1.1,
      'day',
      'paper printers',
      'electronics',
    ],
  ],
  furniture: [
    ['Agakinjiro Furniture', 'Gisozi', 'rw', 4.2, 1, 'day', 'beds tables delivery'],
    ['Meubles Gikondo', 'Gikondo', 'fr', 4, 1.5, 'day', 'sofas chairs'],
    ['Kicukiro Home', 'Kicukiro', 'en', 4.1, 1.3, 'shop', 'beds mattresses delivery'],
  ],
}

// Rwanda's mobile numbers begin with 72, 73, 78 and 79, so that these belong to nobody.
const FIRST_NUMBER = 250_700_000_001
const METRES_A_DEGREE = 111_320

/** The 60 vendors, each within about 700 metres of the middle of its sector. */
export const DEMO_VENDORS: readonly DemoVendor[] = Object.entries(ROWS)
  .flatMap(([category, rows]) => rows.map((row) => [category, row] as const))
  .map(([category, row], index) => toVendor(category, row, index))

function toVendor(category: string, row: Row, index: number): DemoVendor {
  const [name, sector, language, rating, replyHours, open, tags, also] = row
  const centre = findSector(sector)
  if (centre === undefined) throw new Error(`${sector} is no sector of Kigali.`)
  // Spread around the middle by the golden angle, so that no two shops share a place.
  const angle = index * 2.399963
  const metres = 150 + ((index * 97) % 550)
  return {
    id: `demo-vendor-${String(index + 1).padStart(2, '0')}`,
    name,
    phone: String(FIRST_NUMBER + index),
    categories: also === undefined ? [category] : [category, also],
    sector,
    latitude: round(centre.latitude + (metres * Math.cos(angle)) / METRES_A_DEGREE),
    longitude: round(centre.longitude + (metres * Math.sin(angle)) / METRES_A_DEGREE),
    tags: tags.split(' '),
    rating,
    reply_hours: replyHours,
    language,
    opening_hours: HOURS[open],
  }
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5
}
