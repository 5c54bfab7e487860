import { DatabaseSync } from 'node:sqlite'
import { KIGALI_SECTORS } from '../../../packs/marketplace/src/places/kigali-sectors.ts'
import { type SeededRandom, seededRandom } from '../../../testing/src/seeded-random.ts'

export const CATEGORIES = [
  'pharmacy',
  'electronics',
  'hardware',
  'groceries',
  'clothing',
  'auto_parts',
  'stationery',
  'furniture',
]
const TAGS = ['delivery', 'insurance', 'night', 'warranty', 'wholesale', 'repair']

export type MarketSize = { readonly vendors: number; readonly requests: number }

/** Writes vendors and requests straight into the tables: by calls it would take minutes, mostly for the ledger. */
export function fillMarket(file: string, tenant: string, size: MarketSize): void {
  const database = new DatabaseSync(file)
  const random = seededRandom('market')
  const now = Date.now()
  const vendor = database.prepare(
    `insert into mk_vendors (tenant, id, name, phone, lat, lng, area, tags, rating, reply_hours, language, active, touched_at, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
  )
  const sells = database.prepare(
    'insert into mk_vendor_categories (tenant, category, vendor_id, points, lat, lng) values (?, ?, ?, ?, ?, ?)',
  )
  const conversation = database.prepare(
    'insert into mk_conversations (tenant, id, phone, name, touched_at, created_at) values (?, ?, ?, ?, ?, ?)',
  )
  const request = database.prepare(
    `insert into mk_requests (tenant, id, conversation_id, state, lat, lng, state_at, touched_at, created_at)
      values (?, ?, ?, 'collecting_requirements', ?, ?, ?, ?, ?)`,
  )
  database.exec('begin')
  for (let index = 0; index < size.vendors; index++) {
    const place = placeOf(random)
    const [own = '', other = ''] = random.shuffle(CATEGORIES)
    const tags = random.shuffle(TAGS).slice(0, random.whole(0, 3))
    vendor.run(
      ...[tenant, `v${index}`, `Vendor ${index}`, vendorPhone(index), place.lat, place.lng],
      ...[place.area, JSON.stringify(tags), random.whole(20, 50) / 10, random.whole(1, 80) / 10],
      ...[random.pick(['en', 'fr', 'rw']), now, now],
    )
    sells.run(tenant, own, `v${index}`, 40, place.lat, place.lng)
    if (random.is(0.3)) sells.run(tenant, other, `v${index}`, 20, place.lat, place.lng)
  }
  for (let index = 0; index < size.requests; index++) {
    const { lat, lng } = placeOf(random)
    conversation.run(tenant, `c${index}`, clientPhone(index), `Client ${index}`, now, now)
    request.run(tenant, `r${index}`, `c${index}`, lat, lng, now, now, now)
  }
  database.exec('commit')
  database.close()
}

export function vendorPhone(index: number): string {
  return String(250_700_000_000 + index)
}

export function clientPhone(index: number): string {
  return String(250_701_000_000 + index)
}

/** Somewhere within about a kilometre of the middle of a sector. */
function placeOf(random: SeededRandom): {
  readonly lat: number
  readonly lng: number
  readonly area: string
} {
  const { name, latitude, longitude } = random.pick(KIGALI_SECTORS)
  const offset = (): number => random.whole(-1_000, 1_000) / 111_320
  return { lat: latitude + offset(), lng: longitude + offset(), area: name }
}
